import { captureFailed } from '@capture/contract/events/events';
import { type FormName, forms } from '@capture/contract/forms/forms';
import { signatureHeaders } from '@capture/contract/forms/signatures';
import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from './verify-webhook.ts';

/** The library's limit of five minutes follows the machine's clock. */
const at = new Date();
const { body } = captureFailed(
  { request_id: 'req_1', url: 'https://é.example/', type: 'pdf', error_code: 'HTTP_STATUS', error_message: '☂' },
  at,
);
const event = JSON.parse(body.toString());

/** Returns the official library, with the secret in the form that docs/webhooks.md says. */
const official = (secret: string) =>
  secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(Buffer.from(secret, 'utf8'), { format: 'raw' });

const secrets = [generateSigningSecret(), 'whsec_QQ==', 'a plain secret', 'clé secrète ☂'];

describe.each(secrets)('with the secret %j', (secret) => {
  it.each(['A', 'B'] satisfies FormName[])('the official library verifies signatures of form %s', (form) => {
    const headers = signatureHeaders(forms[form], { eventId: 'evt_1', body, at, secrets: [secret] });
    expect(official(secret).verify(body.toString(), headers)).toEqual(event);
  });

  it('the official library verifies both sides of a rotation, as the SDK does', async () => {
    const headers = signatureHeaders(forms.B, { eventId: 'evt_1', body, at, secrets: ['the new secret', secret] });
    for (const one of ['the new secret', secret]) {
      expect(official(one).verify(body.toString(), headers)).toEqual(event);
      expect(await verifyWebhook({ body, headers, secret: one })).toMatchObject({ id: 'evt_1', event });
    }
    expect(() => official('neither').verify(body.toString(), headers)).toThrow();
  });

  it('the SDK verifies signatures of the official library', async () => {
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': official(secret).sign('evt_1', at, body.toString()),
    };
    expect(await verifyWebhook({ body, headers, secret })).toMatchObject({ id: 'evt_1', event });
    await expect(verifyWebhook({ body, headers, secret: 'another secret' })).rejects.toThrow();
  });
});
