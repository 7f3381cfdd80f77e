import { batchCompleted, batchProgress, captureCompleted, captureFailed } from '@capture/contract/events/events';
import { type FormName, forms } from '@capture/contract/forms/forms';
import { signatureHeaders } from '@capture/contract/forms/signatures';
import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import { describe, expect, it } from '@jest/globals';
import { type ReceivedWebhook, verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';

const at = new Date('2025-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
const body = captureFailed(
  {
    request_id: 'req_1',
    url: 'https://example.com/é',
    type: 'pdf',
    error_code: 'CAPTURE_TIMEOUT',
    error_message: 'It was not finished within 30000 ms.',
  },
  at,
).body;

/** Signs a delivery as the service does. `previous` is the secret before `secret` during an overlap. */
function signed(form: FormName, secret: string, options: { previous?: string; body?: Buffer; eventId?: string } = {}) {
  const { previous, eventId = 'evt_01hzx3' } = options;
  const sent = options.body ?? body;
  const secrets: [string, string?] = previous === undefined ? [secret] : [secret, previous];
  return { body: sent, secret, headers: signatureHeaders(forms[form], { eventId, body: sent, at, secrets }) };
}

const timed = (received: ReceivedWebhook, now = at) => verifyWebhook({ ...received, now });
const published = (received: ReceivedWebhook) => verifyWebhook({ ...received, signature: 'published' });

async function reasonOf(verifying: Promise<unknown>): Promise<string> {
  const error = await verifying.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(WebhookVerificationError);
  return (error as WebhookVerificationError).reason;
}

const secrets = [
  ['generated', generateSigningSecret()],
  ['whsec_ with padding', 'whsec_QQ=='],
  ['plain', 'a plain secret'],
  ['plain, beyond ASCII', 'clé secrète ☂'],
  ['plain, ending in white space', 'a plain secret\n'],
] as const;

describe.each(['A', 'B'] satisfies FormName[])('a webhook of form %s', (form) => {
  it.each(secrets)('is verified by either signature (secret: %s)', async (_, secret) => {
    const delivery = signed(form, secret);
    const event = JSON.parse(body.toString());
    expect(await timed(delivery)).toEqual({ id: 'evt_01hzx3', signedAt: at, event });
    expect(await published(delivery)).toEqual({ id: null, signedAt: null, event });
  });

  it.each(secrets)('is rejected with another secret or another body (secret: %s)', async (_, secret) => {
    const delivery = signed(form, secret);
    for (const verify of [timed, published]) {
      expect(await reasonOf(verify({ ...delivery, secret: 'another secret' }))).toBe('no_matching_signature');
      for (const changed of [`${body} `, body.subarray(1), body.toString().replace('pdf', 'PDF'), '']) {
        expect(await reasonOf(verify({ ...delivery, body: changed }))).toBe('no_matching_signature');
      }
    }
  });

  it('returns each of the four events as sent', async () => {
    const facts = {
      request_id: 'req_1',
      url: 'https://example.com/',
      format: 'png',
      width: 1,
      height: 2,
      file_size: 3,
    };
    const links = { file_url: 'https://files.example.com/1', expires_at: at.toISOString() };
    const item = { request_id: 'req_1', url: facts.url, status: 'completed', error_code: null, file_url: null };
    const counts = { total: 10, succeeded: 9, failed: 1 };
    const events = [
      captureCompleted(forms[form], { ...facts, ...links, type: 'screenshot', duration_ms: 4 }, at),
      captureFailed({ ...facts, type: 'og_image', error_code: 'HTTP_STATUS', error_message: 'The page said 404.' }, at),
      batchCompleted(forms[form], 'batch_1', counts, [item], at),
      batchProgress('batch_1', counts, at),
    ];
    for (const { name, body } of events) {
      const { event } = await timed(signed(form, 'a plain secret', { body }));
      expect(event.event).toBe(name);
      expect(event).toEqual(JSON.parse(body.toString()));
    }
  });

  it('is verified with either secret during a rotation, and with a list that contains one', async () => {
    const both = signed(form, 'the new secret', { previous: 'the former secret' });
    for (const verify of [timed, published]) {
      for (const secret of ['the new secret', 'the former secret', ['not this one', 'the former secret']]) {
        await expect(verify({ ...both, secret })).resolves.toBeDefined();
      }
      expect(await reasonOf(verify({ ...both, secret: ['neither', 'nor'] }))).toBe('no_matching_signature');
    }
    const onlyNew = signed(form, 'the new secret');
    for (const verify of [timed, published]) {
      expect(await reasonOf(verify({ ...onlyNew, secret: 'the former secret' }))).toBe('no_matching_signature');
    }
  });
});

describe('the timed signature', () => {
  const delivery = signed('B', 'a plain secret');
  const withHeaders = (changes: Record<string, string | string[] | undefined>) => ({
    ...delivery,
    headers: { ...delivery.headers, ...changes },
  });

  it('covers the id and the time', async () => {
    const next = String(at.getTime() / 1_000 + 1);
    expect(await reasonOf(timed(withHeaders({ 'webhook-id': 'evt_01hzx4' })))).toBe('no_matching_signature');
    expect(await reasonOf(timed(withHeaders({ 'webhook-timestamp': next })))).toBe('no_matching_signature');
  });

  it('may be up to five minutes old or early, to the second', async () => {
    for (const seconds of [-300, 0, 300]) await expect(timed(delivery, later(seconds))).resolves.toBeDefined();
    expect(await reasonOf(timed(delivery, later(301)))).toBe('timestamp_too_old');
    expect(await reasonOf(timed(delivery, later(-301)))).toBe('timestamp_in_future');
  });

  it('has the requested tolerance', async () => {
    const verify = (toleranceS: number, now: Date) => verifyWebhook({ ...delivery, toleranceS, now });
    await expect(verify(3_600, later(3_600))).resolves.toBeDefined();
    expect(await reasonOf(verify(3_600, later(3_601)))).toBe('timestamp_too_old');
    expect(await reasonOf(verify(0, later(1)))).toBe('timestamp_too_old');
    for (const nonsense of [Number.NaN, -1]) await expect(verify(nonsense, at)).rejects.toThrow(RangeError);
    await expect(verify(300, new Date('never'))).rejects.toThrow(RangeError);
  });

  it('is compared with the system clock', async () => {
    expect(await reasonOf(verifyWebhook(delivery))).toBe('timestamp_too_old');
    const secrets = ['a plain secret'] as const;
    const headers = signatureHeaders(forms.B, { eventId: 'evt_1', body, at: new Date(), secrets });
    await expect(verifyWebhook({ body, headers, secret: 'a plain secret' })).resolves.toMatchObject({ id: 'evt_1' });
  });

  it('cannot be bypassed by omitting its headers', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      expect(await reasonOf(timed(withHeaders({ [name]: undefined })))).toBe('missing_header');
      expect(await reasonOf(timed(withHeaders({ [name]: '' })))).toBe('missing_header');
    }
    const { 'X-Service-Signature': signature } = delivery.headers;
    const untimed = { ...delivery, headers: { 'X-Service-Signature': signature } };
    expect(await reasonOf(timed(untimed))).toBe('missing_header');
    await expect(published(untimed)).resolves.toBeDefined();
  });

  it('cannot be built from an untimed signature, nor the reverse', async () => {
    // With a plain secret, both signatures have the same key, and only the signed texts differ.
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': standard } = delivery.headers;
    const hex = Buffer.from(standard!.slice(3), 'base64').toString('hex');
    const asBody = { ...delivery, body: `${id}.${time}.${body}`, headers: { 'x-service-signature': hex } };
    expect(await reasonOf(published(asBody))).toBe('not_json');

    const digits = String(at.getTime() / 1_000);
    const crafted = signed('B', 'a plain secret', { body: Buffer.from(`{"url":"a.${digits}.${body}`) });
    const base64 = Buffer.from(crafted.headers['X-Service-Signature']!, 'hex').toString('base64');
    const headers = { 'webhook-id': '{"url":"a', 'webhook-timestamp': digits, 'webhook-signature': `v1,${base64}` };
    expect(await reasonOf(timed({ ...delivery, headers }))).toBe('malformed_header');
  });

  it.each([
    ['webhook-id', 'evt_1.2'],
    ['webhook-id', 'evt_01hzx3, evt_01hzx3'],
    ['webhook-id', ['evt_01hzx3', 'evt_01hzx3']],
    ['webhook-id', 'e'.repeat(256)],
    ['webhook-timestamp', '1740830400.0'],
    ['webhook-timestamp', '01740830400'],
    ['webhook-timestamp', '1740830400, 1740830400'],
    ['webhook-timestamp', '-1'],
    ['webhook-timestamp', '1e9'],
    ['webhook-timestamp', '9'.repeat(400)],
    ['webhook-timestamp', '2025-03-01T12:00:00Z'],
  ])('wants a whole %s, not %j', async (name, value) => {
    expect(await reasonOf(timed(withHeaders({ [name]: value })))).toBe('malformed_header');
  });

  it('is found among several, and must match completely', async () => {
    const signature = delivery.headers['webhook-signature']!;
    const other = `v1,${Buffer.alloc(32).toString('base64')}`;
    const fitting = [`${other} ${signature}`, `${signature} ${other}`, `v1a,xyz  ${signature}`, [other, signature]];
    for (const value of fitting) {
      await expect(timed(withHeaders({ 'webhook-signature': value }))).resolves.toBeDefined();
    }
    const unfitting = [
      signature.slice(0, -1),
      `${signature}=`,
      signature.slice(3),
      signature.replace('v1,', 'v2,'),
      signature.replace('v1,', 'v1,,'),
      signature.replace('v1,', 'v1, '),
      signature + signature,
      signature.toUpperCase(),
      `v1,${'A'.repeat(60_000)}`,
      'v1,',
      'é☂',
      ' ',
      other,
      Array.from({ length: 500 }, () => other).join(' '),
    ];
    for (const value of unfitting) {
      expect(await reasonOf(timed(withHeaders({ 'webhook-signature': value })))).toBe('no_matching_signature');
    }
  });

  it('is found in Headers objects and in Node headers, in any case', async () => {
    const entries = Object.entries(delivery.headers);
    const upper = Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]));
    const lists = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), [value]]));
    for (const headers of [new Headers(delivery.headers), upper, lists]) {
      await expect(timed({ ...delivery, headers })).resolves.toBeDefined();
      await expect(published({ ...delivery, headers })).resolves.toBeDefined();
    }
  });

  it('covers the bytes of a string, a Buffer or a part of one', async () => {
    const around = Buffer.concat([Buffer.from('<<'), body, Buffer.from('>>')]);
    for (const given of [body.toString(), new Uint8Array(body), around.subarray(2, -2)]) {
      await expect(timed({ ...delivery, body: given })).resolves.toBeDefined();
    }
  });
});

describe('the published signature', () => {
  const [a, b] = [signed('A', 'a plain secret'), signed('B', 'a plain secret')];
  const verify = (headers: Record<string, string>) => published({ ...b, headers });

  it('is accepted with and without its prefix, in both forms', async () => {
    for (const { headers } of [a, b]) {
      await expect(verify({ 'X-Service-Signature': headers['X-Service-Signature']! })).resolves.toBeDefined();
    }
  });

  it('is required, even with the signature of the previous secret', async () => {
    expect(await reasonOf(verify({}))).toBe('missing_header');
    const hex = b.headers['X-Service-Signature']!;
    expect(await reasonOf(verify({ 'X-Service-Signature-Previous': hex }))).toBe('missing_header');
  });

  it('is exactly 64 hex digits', async () => {
    const hex = b.headers['X-Service-Signature']!;
    const odd = [
      hex.slice(1),
      `${hex}0`,
      `${hex}, ${hex}`,
      hex + hex,
      `sha1=${hex}`,
      `sha256=sha256=${hex}`,
      `sha256= ${hex}`,
      `SHA256=${hex}`,
      `${hex}\n`,
      `g${hex.slice(1)}`,
      'sha256=',
    ];
    for (const value of odd) expect(await reasonOf(verify({ 'X-Service-Signature': value }))).toBe('malformed_header');
    const previous = { 'X-Service-Signature': hex, 'X-Service-Signature-Previous': 'odd' };
    expect(await reasonOf(verify(previous))).toBe('malformed_header');
    expect(await reasonOf(verify({ 'X-Service-Signature': '0'.repeat(64) }))).toBe('no_matching_signature');
  });
});

describe('a signed body', () => {
  it.each([
    ['no text at all', Buffer.alloc(0), 'not_json'],
    ['no JSON', Buffer.from('event=capture.completed'), 'not_json'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'not_json'],
    ['JSON after a byte order mark', Buffer.from('\ufeff{"event":"capture.failed"}'), 'not_json'],
    ['null', Buffer.from('null'), 'unknown_event'],
    ['a list', Buffer.from('[]'), 'unknown_event'],
    ['an event of tomorrow', Buffer.from('{"event":"capture.moved"}'), 'unknown_event'],
    ['a name that every object has', Buffer.from('{"event":"constructor"}'), 'unknown_event'],
    ['a name that is not a text', Buffer.from('{"event":["capture.failed"]}'), 'unknown_event'],
  ])('that is %s is refused', async (_, sent, reason) => {
    for (const verify of [timed, published]) {
      expect(await reasonOf(verify(signed('B', 'a plain secret', { body: sent })))).toBe(reason);
    }
  });
});

describe('a misconfigured receiver', () => {
  it.each([
    ['no secret', undefined],
    ['an empty secret', ''],
    ['an empty list', []],
    ['an empty secret in a list', ['a plain secret', '']],
    ['whsec_ alone', 'whsec_'],
    ['whsec_ and no base64', 'whsec_not base64'],
    ['whsec_ cut short', 'whsec_QUJDR'],
    ['a line feed after base64', 'whsec_QUJD\n'],
  ])('gets a TypeError that shows no secret: %s', async (_, secret) => {
    const received = { ...signed('B', 'a plain secret'), secret: secret as string };
    const error = await timed(received).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain('QUJD');
  });

  it('gets a TypeError for a parsed body', async () => {
    const received = { ...signed('B', 'a plain secret'), body: JSON.parse(body.toString()) };
    await expect(timed(received)).rejects.toThrow(TypeError);
  });
});

it('no error contains a secret or the expected signature', async () => {
  const delivery = signed('A', 'a plain secret');
  const signature = delivery.headers['webhook-signature']!.slice(3);
  const headers = { ...delivery.headers, 'webhook-signature': 'v1,x' };
  const error = await timed({ ...delivery, headers }).catch((thrown: Error) => thrown);
  const shown = `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`;
  expect(shown).not.toContain('a plain secret');
  expect(shown).not.toContain(signature);
});
