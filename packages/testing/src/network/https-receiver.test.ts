import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type HttpsReceiver, openHttpsReceiver } from './https-receiver.ts';

let receiver: HttpsReceiver;

beforeEach(async () => {
  receiver = await openHttpsReceiver();
});

afterEach(() => receiver.close());

function post(body: Buffer, { url = receiver.url, ca = receiver.authority.cert } = {}) {
  return new Promise<{ status: number | undefined; location: string | undefined; body: string }>((resolve, reject) => {
    const sent = request(`${url}/hook?a=1`, { method: 'POST', ca, headers: { 'X-Case': 'Kept' } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      buffer(response).then((bytes) => {
        resolve({ status: response.statusCode, location: response.headers.location, body: bytes.toString() });
      }, reject);
    });
    sent.end(body);
  });
}

describe('an HTTPS receiver', () => {
  it('records the exact bytes, and headers as sent', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 0xc3, 0x28]);
    expect((await post(bytes)).status).toBe(200);
    const [hit] = await receiver.waitForHits(1);
    expect(hit).toMatchObject({ method: 'POST', path: '/hook?a=1', headers: { 'x-case': 'Kept' } });
    expect(hit?.body.equals(bytes)).toBe(true);
    expect(hit?.rawHeaders).toContain('X-Case');
  });

  it('responds with the next replies, then with the usual one', async () => {
    receiver.respondWith((hit) => ({ status: 201, body: `${hit.body}!` }));
    receiver.respondNext({ status: 302, headers: { location: 'https://elsewhere.example/' } }, { status: 500 });
    const responses = [];
    for (const text of ['a', 'b', 'c']) responses.push(await post(Buffer.from(text)));
    expect(responses).toMatchObject([
      { status: 302, location: 'https://elsewhere.example/' },
      { status: 500 },
      { status: 201, body: 'c!' },
    ]);
  });

  it('holds a response until its promise resolves', async () => {
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.respondNext({ status: 201, until });
    let hasResponse = false;
    const held = post(Buffer.from('a')).finally(() => {
      hasResponse = true;
    });
    await receiver.waitForHits(1);
    // A later request does not wait for the held response.
    expect((await post(Buffer.from('b'))).status).toBe(200);
    expect(hasResponse).toBe(false);
    release();
    expect((await held).status).toBe(201);
  });

  it('can reset, hang and drip', async () => {
    receiver.respondNext('reset', 'hang', { dripEveryMs: 5 });
    await expect(post(Buffer.from('a'))).rejects.toMatchObject({ code: 'ECONNRESET' });
    const hanging = expect(post(Buffer.from('b'))).rejects.toThrow();
    await receiver.waitForHits(2);
    const dripping = expect(post(Buffer.from('c'))).rejects.toThrow();
    await receiver.waitForHits(3);
    await receiver.close();
    await Promise.all([hanging, dripping]);
    receiver = await openHttpsReceiver();
  });

  it('is trusted by clients that trust its authority, and only with a valid certificate', async () => {
    await expect(post(Buffer.from('a'), { ca: '' })).rejects.toThrow(/certificate/);
    for (const certificate of ['self-signed', 'expired', 'wrong-name'] as const) {
      const bad = await openHttpsReceiver({ certificate });
      await expect(post(Buffer.from('a'), { url: bad.url })).rejects.toMatchObject({
        code: expect.stringMatching(/DEPTH_ZERO_SELF_SIGNED_CERT|CERT_HAS_EXPIRED|ERR_TLS_CERT_ALTNAME_INVALID/),
      });
      expect(bad.hits).toEqual([]);
      await bad.close();
    }
  });

  it('throws an error that names the awaited requests', async () => {
    await expect(receiver.waitForHits(1, { timeoutMs: 20 })).rejects.toThrow(/1 requests at the receiver/);
  });
});
