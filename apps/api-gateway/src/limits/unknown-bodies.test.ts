import { forms } from '@capture/contract/forms/forms';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../test-gateway.ts';
import { Admission, type Limited } from './admission.ts';

describe('bodies of clients that are not known yet', () => {
  const asked: string[] = [];
  class CountedAdmission extends Admission {
    override async take(limited: Limited, owner: string) {
      if (limited === 'unknownBody') asked.push(owner);
      return super.take(limited, owner);
    }
  }
  const admission = new CountedAdmission(forms.B, { unknownBody: { perAccount: 1 } });
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway('B', { parts: { admission } });
  });

  afterAll(() => gateway.close());

  const take = (body: object) => gateway.http.post('/compat/screenshotone/take').send(body);

  it('are read for a few requests of a client at once if they are large, and further ones wait', async () => {
    const release = await admission.take('unknownBody', '127.0.0.1');
    const request = take({ access_key: 'unknown', html: 'x'.repeat(70_000) }).then(({ body }) => body.error_code);
    const first = await Promise.race([request, gateway.http.get('/healthz').then(() => 'still waits')]);
    expect(first).toBe('still waits');
    release();
    expect(await request).toBe('access_key_invalid');
    // The slot is free again.
    (await admission.take('unknownBody', '127.0.0.1'))();
    expect(asked).toEqual(Array(3).fill('127.0.0.1'));
  });

  it.each([
    { what: 'the key is in the URL', query: '?access_key=unknown', body: { html: 'x'.repeat(70_000) } },
    { what: 'they are small', query: '', body: { access_key: 'unknown', url: 'https://example.com/' } },
  ])('need no slot when $what', async ({ query, body }) => {
    await gateway.http
      .post(`/compat/screenshotone/take${query}`)
      .send(body)
      .expect(400, /access_key_invalid/);
    expect(asked).toHaveLength(3);
  });

  it('have 64 kB at most where no key is needed', async () => {
    const email = `${'x'.repeat(70_000)}@example.com`;
    const { body } = await gateway.http.post('/api/auth/register').send({ email }).expect(413);
    expect(body).toMatchObject({ error_code: 'PAYLOAD_TOO_LARGE', error_message: 'The body is larger than 64 kB.' });
  });
});
