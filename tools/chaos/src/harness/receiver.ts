import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Authority, type CertificateKind, createCertificate } from '@capture/testing/network/certificates';
import { startChildProgram } from '@capture/testing/processes/child-program';
import { makeTestFolder } from '@capture/testing/test-run';
import { type Behavior, pathFor } from '../receiver/behavior.ts';
import type { Counts, Hit, ReceiverCommand } from '../receiver/hit.ts';
import { builtProgram } from './built-program.ts';

/** The secrets that the receiver knows. */
export const signingSecrets = ['first', 'second', 'third', 'fourth'].map(
  (name) => `whsec_${Buffer.from(`the ${name} secret of the fault tests`).toString('base64')}`,
);

/** The secret that signs all webhooks of these tests, of any account, unless a case rotates it. */
export const signingSecret = signingSecrets[0]!;

/** The harness's handle on the receiver process. */
export interface Receiver {
  /** Returns a URL of the receiver's first port with this behavior, an immediate 200 by default. */
  url(behavior?: Partial<Behavior>, label?: string): string;
  /** Opens more ports. To the platform each port is a separate receiver. */
  listen(servers: number, certificate?: CertificateKind): Promise<number[]>;
  count(): Promise<Counts>;
  /** Makes every request succeed from now on, and responds to held requests. */
  heal(): Promise<void>;
  /** All completed requests, in order of completion. */
  hits(): Promise<Hit[]>;
  close(): Promise<void>;
}

export async function openReceiver(authority: Authority): Promise<Receiver> {
  const ledgerFile = path.join(makeTestFolder('receiver'), 'ledger.jsonl');
  const args = [ledgerFile, ...signingSecrets];
  const { send, kill } = startChildProgram<ReceiverCommand>('receiver', builtProgram('receiver'), args);
  const listen = async (servers: number, certificate: CertificateKind = 'trusted') => {
    const tls = await createCertificate(authority, certificate, []);
    return send<number[]>({ type: 'listen', servers, tls });
  };
  const [port] = await listen(1);
  return {
    url: (behavior, label) => `https://127.0.0.1:${port}${pathFor(behavior, label)}`,
    listen,
    count: () => send<Counts>({ type: 'count' }),
    heal: () => send<void>({ type: 'heal' }),
    async hits() {
      await send({ type: 'flush' });
      return readFileSync(ledgerFile, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line): Hit => JSON.parse(line));
    },
    close: kill,
  };
}
