import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type FormName, forms } from './forms.ts';
import { type SignedDelivery, signatureHeaders } from './signatures.ts';
import { generateSigningSecret } from './signing-secret.ts';

const prefix = { A: 'sha256=', B: '' } as const;
const body = Buffer.from('{"event":"capture.completed","data":{"url":"https://example.com/é"}}');
/** The library refuses a delivery that is older than five minutes by its own clock. */
const delivery = { eventId: 'evt_1', body, at: new Date() };

/** The library accepts a secret as text, or as bytes if a plain secret contains characters beyond ASCII. */
const receiverOf = (secret: string) =>
  secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(Buffer.from(secret, 'utf8'), { format: 'raw' });

const secrets = [
  ['generated', generateSigningSecret()],
  ['whsec_ with padding', 'whsec_QQ=='],
  ['plain', 'a plain secret'],
  ['plain, beyond ASCII', 'clé secrète ☂'],
  ['plain, though it looks like base64', 'QUJDQUJD'],
] as const;

describe.each(['A', 'B'] satisfies FormName[])('the headers of form %s', (name) => {
  const sign = (signed: SignedDelivery) => signatureHeaders(forms[name], signed);

  it.each(secrets)('are accepted by the official library (secret: %s)', (_, secret) => {
    const headers = sign({ ...delivery, secrets: [secret] });
    expect(receiverOf(secret).verify(body.toString(), headers)).toEqual(JSON.parse(body.toString()));
  });

  it.each(secrets)('are refused by the official library after any change (secret: %s)', (_, secret) => {
    const headers = sign({ ...delivery, secrets: [secret] });
    const receiver = receiverOf(secret);
    expect(() => receiver.verify(`${body} `, headers)).toThrow();
    expect(() => receiver.verify(body.toString(), { ...headers, 'webhook-id': 'evt_2' })).toThrow();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => receiver.verify(body.toString(), { ...headers, 'webhook-timestamp': later })).toThrow();
    expect(() => receiverOf('another secret').verify(body.toString(), headers)).toThrow();
  });

  it('sign any bytes', () => {
    const bytes = Buffer.from([0, 255, 254, 10, 13]);
    const headers = sign({ ...delivery, body: bytes, secrets: ['a plain secret'] });
    expect(headers['X-Service-Signature']).toBe(
      `${prefix[name]}36221a6e891b0cefbd8888247c846ca4a4b6813e1e3f17b202153c424b435f17`,
    );
  });

  it('use the whole text of the secret, including whsec_, as the key of X-Service-Signature', () => {
    const headers = sign({ ...delivery, body: Buffer.from('abc'), secrets: ['whsec_QUJDRA=='] });
    expect(headers['X-Service-Signature']).toBe(
      `${prefix[name]}3979a43157cc3e8f1000220a54fab7ebf06eb94faaefb7a3a5d51b90e03ac861`,
    );
  });

  it('match the published example of Standard Webhooks', () => {
    const headers = sign({
      eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: Buffer.from('{"test": 2432232314}'),
      at: new Date(1_614_265_330_999),
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    expect(headers['webhook-id']).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek');
    expect(headers['webhook-timestamp']).toBe('1614265330');
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('are exactly these four while one secret is valid', () => {
    expect(Object.keys(sign({ ...delivery, secrets: ['a plain secret'] })).sort()).toEqual([
      'X-Service-Signature',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ]);
  });

  it('contain the signatures of both secrets during the overlap of a rotation', () => {
    const [current, former] = [generateSigningSecret(), 'the former secret'];
    const both = sign({ ...delivery, secrets: [current, former] });
    const [one, other] = [sign({ ...delivery, secrets: [current] }), sign({ ...delivery, secrets: [former] })];
    expect(both['X-Service-Signature']).toBe(one['X-Service-Signature']);
    expect(both['X-Service-Signature-Previous']).toBe(other['X-Service-Signature']);
    expect(both['webhook-signature']).toBe(`${one['webhook-signature']} ${other['webhook-signature']}`);
    for (const secret of [current, former]) {
      expect(() => receiverOf(secret).verify(body.toString(), both)).not.toThrow();
    }
  });
});
