import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { batchProgress, captureFailed } from '@capture/contract/events/events';
import { forms } from '@capture/contract/forms/forms';
import { signatureHeaders } from '@capture/contract/forms/signatures';
import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import { findOrInstallProgram } from '@capture/testing/processes/find-program';
import { startProcess } from '@capture/testing/processes/processes';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const folder = 'docs/examples/receivers';

interface Example {
  /** Returns the command, which may have to be installed first, and its arguments. */
  command(): Promise<[string, ...string[]]>;
  /** Matches the line with the address at which the example listens. */
  listening: RegExp;
}

const examples: Record<string, Example> = {
  'node.mjs': {
    command: async () => [process.execPath, `${folder}/node.mjs`],
    listening: /listening on (http:\S+)/,
  },
  'python.py': {
    command: async () => [await findOrInstallProgram('python3', 'python3'), `${folder}/python.py`],
    listening: /listening on (http:\S+)/,
  },
  'receiver.php': {
    command: async () => [await findOrInstallProgram('php', 'php-cli'), '-S', '127.0.0.1:0', `${folder}/receiver.php`],
    listening: /\((http:[^)]+)\) started/,
  },
};

/** Two secrets, because keys are made differently of `whsec_` secrets and of plain secrets. */
const secrets = [generateSigningSecret(), 'clé secrète ☂'];

/** The time includes installing a language. */
const limitMs = 300_000;

let seenFolder: string;
beforeEach(() => {
  seenFolder = mkdtempSync(path.join(tmpdir(), 'webhooks-seen-'));
});
afterEach(() => rmSync(seenFolder, { recursive: true, force: true }));

async function startExample(example: Example, secret: string) {
  const [command, ...args] = await example.command();
  const env = { WEBHOOK_SECRET: secret, PORT: '0', SEEN_FOLDER: seenFolder };
  const receiver = startProcess({ name: args.at(-1)!, command, args, env });
  const [, url] = await receiver.waitForOutput(example.listening, 60_000);
  const deliver = async (body: Buffer, headers: Record<string, string>) => {
    const response = await fetch(url!, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: new Uint8Array(body),
    });
    await response.arrayBuffer();
    return response.status;
  };
  return { receiver, deliver };
}

const failed = (id: string, url = 'https://example.com/é') =>
  captureFailed({ request_id: id, url, type: 'pdf', error_code: 'HTTP_STATUS', error_message: '☂' }, new Date()).body;

describe.each(Object.entries(examples))('docs/examples/receivers/%s', (_, example) => {
  it.each(secrets)(
    'verifies, deduplicates and responses (secret: %j)',
    async (secret) => {
      const { receiver, deliver } = await startExample(example, secret);
      const sign = (eventId: string, body: Buffer, { ageS = 0, secrets = [secret] as [string, string?] } = {}) =>
        signatureHeaders(forms.B, { eventId, body, at: new Date(Date.now() - ageS * 1_000), secrets });
      const body = failed('req_1');
      const good = sign('evt_1', body);

      // Invalid requests come first. If the example had accepted one, its id would be known, and the line below missing.
      const older = sign('evt_1', body, { ageS: 330 });
      const other = sign('evt_1', body, { secrets: ['another secret'] });
      const { 'webhook-signature': signature, 'webhook-id': id, 'webhook-timestamp': time, ...untimed } = good;
      const refused: [string, Buffer, Record<string, string>][] = [
        ['a tampered body', Buffer.from(body.toString().replace('pdf', 'PDF')), good],
        ['a re-serialized body', Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)), good],
        ['another ID', body, { ...good, 'webhook-id': 'evt_2' }],
        ['an ID that is a path', body, { ...good, 'webhook-id': '../evt_1' }],
        ['another time', body, { ...good, 'webhook-timestamp': String(Number(time) + 1) }],
        ['an old timestamp', body, older],
        ['a timestamp in the future', body, sign('evt_1', body, { ageS: -330 })],
        ['another secret', body, other],
        ['a truncated signature', body, { ...good, 'webhook-signature': signature!.slice(0, -1) }],
        ['no signature', body, { 'webhook-id': id!, 'webhook-timestamp': time! }],
        ['only the untimed signature', body, untimed],
        ['nothing', Buffer.alloc(0), {}],
      ];
      for (const [what, sent, headers] of refused) expect([what, await deliver(sent, headers)]).toEqual([what, 401]);

      expect(await deliver(body, good)).toBe(204);
      await receiver.waitForOutput(/^evt_1 capture\.failed req_1$/m);
      // A retry has the same ID and a new signature.
      expect(await deliver(body, sign('evt_1', body, { ageS: 60 }))).toBe(204);
      // During a rotation, the receiver may still have the old secret.
      const progress = batchProgress('batch_1', { total: 20, succeeded: 10, failed: 0 }, new Date()).body;
      expect(await deliver(progress, sign('evt_3', progress, { secrets: ['the new secret', secret] }))).toBe(204);
      await receiver.waitForOutput(/^evt_3 batch\.progress batch_1$/m);

      await receiver.stop();
      expect(receiver.output().match(/^evt_.*$/gm)).toEqual([
        'evt_1 capture.failed req_1',
        'evt_3 batch.progress batch_1',
      ]);
    },
    limitMs,
  );
});
