import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import net, { type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import tls, { type TLSSocket } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { parseAddressRules } from './address-rules.ts';
import { createHttpsSender, type HttpsSender, type HttpsSenderOptions, type SendRequest } from './https-sender.ts';
import { type Resolve, shareLookups } from './look-up.ts';
import {
  closedPort,
  familyOf,
  hangingPort,
  type Listening,
  listenOn,
  serveOnOtherLoopback,
} from './servers.test-support.ts';

/** Creates a self-signed certificate for the names. Trusting it means trusting exactly this receiver. */
async function certify(names: string[], { expired = false } = {}) {
  const day = 86_400_000;
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'receiver' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 10 * day),
    notAfterDate: new Date(Date.now() + (expired ? -day : 10 * day)),
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) =>
          net.isIP(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
        ),
      },
    ],
  });
  return { key, cert };
}
type Certificate = Awaited<ReturnType<typeof certify>>;

let good: Certificate;
let otherName: Certificate;
let expired: Certificate;
beforeAll(async () => {
  good = await certify(['receiver.example', '127.0.0.1', '::1']);
  otherName = await certify(['other.example']);
  expired = await certify(['receiver.example'], { expired: true });
});

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});
function closing<T extends { close(): Promise<void> }>(resource: T): T {
  open.push(resource);
  return resource;
}

const toLoopback: Resolve = async () => [familyOf('127.0.0.1')];
const serve = async (server: Server): Promise<Listening> => closing(await listenOn(server));
const receive = (listener: RequestListener) => serve(https.createServer(good, listener));
/** A receiver that sends this response once it has received the request's headers, and then runs `then`. */
const receiveRaw = (response: string, then: (socket: TLSSocket) => void = () => {}) =>
  serve(
    tls.createServer(good, (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(response, () => then(socket)));
    }),
  );

/** Trusts the three certificates above, resolves every name to 127.0.0.1, and may reach loopback. */
function sender({ allow = '127.0.0.0/8,::1', ...options }: HttpsSenderOptions & { allow?: string } = {}): HttpsSender {
  const ca = [good.cert, otherName.cert, expired.cert].join('\n');
  return closing(createHttpsSender(parseAddressRules({ allow }), { resolve: toLoopback, ca, ...options }));
}
const post = (by: HttpsSender, to: { port: number } | string, request: Partial<SendRequest> = {}) =>
  by.send({
    url: typeof to === 'string' ? to : `https://receiver.example:${to.port}/hook?x=1`,
    headers: { 'user-agent': 'test/1', 'content-type': 'application/json' },
    body: Buffer.from('{"a":1}'),
    timeoutMs: 10_000,
    ...request,
  });
const result = (status: number | null, error: unknown, responseExcerpt: unknown = expect.anything()) => ({
  status,
  error,
  lookUpTimedOut: false,
  durationMs: expect.any(Number),
  responseExcerpt,
});

describe('a response', () => {
  it('of 2xx is a success, and the receiver got exactly the bytes and headers', async () => {
    const seen: unknown[] = [];
    const receiver = await receive(async (request, response) => {
      seen.push([request.method, request.url, request.headers, await text(request)]);
      response.end('thanks');
    });
    expect(await post(sender(), receiver)).toEqual(result(200, null, 'thanks'));
    expect(seen).toEqual([
      [
        'POST',
        '/hook?x=1',
        {
          host: `receiver.example:${receiver.port}`,
          connection: 'keep-alive',
          'user-agent': 'test/1',
          'content-type': 'application/json',
          'content-length': '7',
        },
        '{"a":1}',
      ],
    ]);
  });

  it.each([
    [204, null],
    [299, null],
    [304, 'redirect'],
    [400, 'http_4xx'],
    [404, 'http_4xx'],
    [410, 'http_4xx'],
    [500, 'http_5xx'],
    [599, 'http_5xx'],
    [600, 'invalid_response'],
  ])('of %i means %s', async (status, error) => {
    const receiver = await receive((_request, response) => response.writeHead(status).end());
    expect(await post(sender(), receiver)).toEqual(result(status, error, ''));
  });

  it.each([301, 302, 303, 307, 308])('of %i is not followed', async (status) => {
    const target = await serve(http.createServer((_request, response) => response.end('SECRET')));
    const targets = [`http://127.0.0.1:${target.port}/`, `https://receiver.example:${target.port}/`];
    for (const location of targets) {
      const receiver = await receive((_request, response) => response.writeHead(status, { location }).end('moved'));
      expect(await post(sender(), receiver)).toEqual(result(status, 'redirect', 'moved'));
    }
    expect(await target.hits()).toBe(0);
  });

  it('may follow interim responses', async () => {
    const receiver = await receiveRaw(
      'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    );
    expect(await post(sender(), receiver)).toEqual(result(200, null, 'ok'));
  });

  it('is kept as text up to 4 KiB, whatever its bytes', async () => {
    const body = Buffer.concat([Buffer.from([0x00, 0xff]), Buffer.from('ä'.repeat(20_000))]);
    const receiver = await receive((_request, response) => response.end(body));
    const { responseExcerpt } = await post(sender(), receiver);
    expect(responseExcerpt).toBe(`\ufffd\ufffd${'ä'.repeat((4_096 - 2) / 2)}`);
  });

  it('without end is cut off at 4 KiB and is a success', async () => {
    let poured = 0;
    let gone: (() => void) | undefined;
    const ended = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const receiver = await receive((_request, response) => {
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) poured += 65_536;
      };
      response.on('drain', pour);
      response.once('close', () => gone?.());
      pour();
    });
    expect(await post(sender(), receiver)).toEqual(result(200, null, 'x'.repeat(4_096)));
    await ended;
    // The receiver could only fill the sockets' buffers.
    expect(poured).toBeLessThan(16_000_000);
  });
});

/** Far below the 5 s of a look-up and the 10 s of a connection: a test that takes that long was not ended by `timeoutMs`. */
const SOON_MS = 4_000;

describe('the time limit', () => {
  it(
    'covers a resolver that hangs',
    async () => {
      const resolve: Resolve = () => new Promise(() => {});
      expect(await post(sender({ resolve }), { port: 443 }, { timeoutMs: 50 })).toEqual(result(null, 'timeout', null));
    },
    SOON_MS,
  );

  it(
    'covers a receiver that does not accept',
    async () => {
      const hanging = closing(await hangingPort());
      expect(await post(sender(), hanging, { timeoutMs: 50 })).toEqual(result(null, 'timeout', null));
    },
    SOON_MS,
  );

  it(
    'covers a receiver that does not speak TLS',
    async () => {
      const receiver = await serve(net.createServer());
      expect(await post(sender(), receiver, { timeoutMs: 50 })).toEqual(result(null, 'timeout', null));
    },
    SOON_MS,
  );

  it(
    'covers a receiver that never responds',
    async () => {
      const receiver = await receive(() => {});
      expect(await post(sender(), receiver, { timeoutMs: 200 })).toEqual(result(null, 'timeout', null));
    },
    SOON_MS,
  );

  it(
    'covers headers that trickle',
    async () => {
      const receiver = await receiveRaw('HTTP/1.1 200 OK\r\n', (socket) => {
        const trickle = setInterval(() => socket.write('X-Slow: 1\r\n'), 10);
        socket.once('close', () => clearInterval(trickle));
      });
      expect(await post(sender(), receiver, { timeoutMs: 300 })).toEqual(result(null, 'timeout', null));
    },
    SOON_MS,
  );

  it(
    'covers a body that trickles, and keeps the status and the received part',
    async () => {
      const receiver = await receive((_request, response) => {
        response.write('.');
        const trickle = setInterval(() => response.write('.'), 10);
        response.once('close', () => clearInterval(trickle));
      });
      // A slow machine connects within this time.
      expect(await post(sender(), receiver, { timeoutMs: 1_000 })).toEqual(
        result(200, 'timeout', expect.stringMatching(/^\.+$/)),
      );
    },
    SOON_MS,
  );
});

describe('a connection', () => {
  it('is refused without a listener', async () => {
    expect(await post(sender(), { port: await closedPort() })).toEqual(result(null, 'refused', null));
  });

  it.each([
    ['on its first word', () => net.createServer((socket) => socket.once('data', () => socket.resetAndDestroy()))],
    ['before any word', () => net.createServer((socket) => socket.resetAndDestroy())],
    ['by a plain end before TLS', () => net.createServer((socket) => socket.end())],
    ['on the request', () => tls.createServer(good, (socket) => socket.once('data', () => socket.destroy()))],
  ])('may be reset %s', async (_when, createServer) => {
    expect(await post(sender(), await serve(createServer()))).toEqual(result(null, 'reset', null));
  });

  it('may be reset during the body; the status is kept, the attempt fails', async () => {
    const receiver = await receiveRaw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', (socket) =>
      socket.destroy(),
    );
    expect(await post(sender(), receiver)).toEqual(result(200, 'reset', 'half'));
  });

  it('is reused', async () => {
    const receiver = await receive((request, response) => {
      request.resume().once('end', () => response.end('ok'));
    });
    const by = sender();
    for (let attempt = 0; attempt < 10; attempt++) expect(await post(by, receiver)).toEqual(result(200, null, 'ok'));
    // undici may open a second connection if a request follows before it knows that the first connection is free.
    expect(await receiver.hits()).toBeLessThanOrEqual(2);
  });

  it('ends with the sender, after requests in progress', async () => {
    let release: (() => void) | undefined;
    const requested = new Promise<void>((resolve) => {
      void receive((_request, response) => {
        release = () => response.end('late');
        resolve();
      }).then((receiver) => {
        pending = post(by, receiver);
      });
    });
    const by = sender();
    let pending: ReturnType<typeof post> | undefined;
    await requested;
    const closed = by.close();
    release?.();
    expect(await pending).toEqual(result(200, null, 'late'));
    await closed;
  });
});

describe('TLS', () => {
  const withCertificate = (certificate: () => Certificate, options: https.ServerOptions = {}) =>
    serve(https.createServer({ ...certificate(), ...options }, (_request, response) => response.end('SECRET')));

  it.each([
    ['is not trusted', () => withCertificate(() => good), { ca: '' }],
    ['is for another name', () => withCertificate(() => otherName), {}],
    ['has expired', () => withCertificate(() => expired), {}],
  ])('fails for a certificate that %s', async (_what, start, options) => {
    const receiver = await start();
    const by = sender('ca' in options ? { ca: otherName.cert } : {});
    expect(await post(by, receiver)).toEqual(result(null, 'tls', null));
  });

  it('fails for another name each time, so no session is resumed without the check', async () => {
    const receiver = await withCertificate(() => otherName, { maxVersion: 'TLSv1.2' });
    const by = sender();
    for (let attempt = 0; attempt < 3; attempt++) expect(await post(by, receiver)).toMatchObject({ error: 'tls' });
  });

  it('fails without a common version, and for a server that does not speak TLS', async () => {
    expect(
      await post(sender(), await withCertificate(() => good, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })),
    ).toEqual(result(null, 'tls', null));
    expect(await post(sender(), await serve(http.createServer()))).toEqual(result(null, 'tls', null));
  });

  it('fails for a receiver that requests a client certificate', async () => {
    const wantsOurs = { requestCert: true, rejectUnauthorized: true, ca: good.cert };
    const early = await withCertificate(() => good, { ...wantsOurs, maxVersion: 'TLSv1.2' });
    expect(await post(sender(), early)).toEqual(result(null, 'tls', null));
    // A TLS 1.3 server rejects the client after the handshake, and may hang up before the client reads its alert.
    const late = await withCertificate(() => good, { ...wantsOurs, minVersion: 'TLSv1.3' });
    expect(await post(sender(), late)).toEqual(result(null, expect.stringMatching(/^(tls|reset)$/), null));
  });

  it('names the host, not its address, and checks addresses too', async () => {
    const names: (string | false | null)[] = [];
    const receiver = await receive((request, response) => {
      names.push((request.socket as TLSSocket & { servername: string | false }).servername);
      response.end('ok');
    });
    expect(await post(sender(), receiver)).toMatchObject({ status: 200 });
    expect(await post(sender(), `https://receiver.example.:${receiver.port}/`)).toMatchObject({ status: 200 });
    expect(await post(sender(), `https://127.0.0.1:${receiver.port}/`)).toMatchObject({ status: 200 });
    expect(await post(sender(), `https://127.0.0.2:${receiver.port}/`)).toMatchObject({ status: null });
    expect(names).toEqual(['receiver.example', 'receiver.example', false]);
  });
});

describe('an invalid response', () => {
  it.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
    [
      'length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    ],
    ['headers without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['HTTP/2', '\0\0\u0012\u0004\0\0\0\0\0\0\u0003\0\0\0d'],
  ])('%s', async (_what, response) => {
    expect(await post(sender(), await receiveRaw(response))).toMatchObject({ status: null, error: 'invalid_response' });
  });

  it('has invalid chunks after its status', async () => {
    const receiver = await receiveRaw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    expect(await post(sender(), receiver)).toMatchObject({ status: 200, error: 'invalid_response' });
  });
});

describe('a forbidden receiver', () => {
  it.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '①②⑦.0.0.1', '[::ffff:127.0.0.1]', '[::1]', 'localhost', '0'])(
    'as https://%s is blocked without a connection',
    async (host) => {
      const victim = await receive((_request, response) => response.end('SECRET'));
      expect(await post(sender({ allow: '' }), `https://${host}:${victim.port}/`)).toEqual(
        result(null, 'blocked', null),
      );
      expect(await victim.hits()).toBe(0);
    },
  );

  it('by a name is blocked, also if only some of its addresses are closed', async () => {
    const victim = await receive((_request, response) => response.end('SECRET'));
    expect(await post(sender({ allow: '' }), victim)).toEqual(result(null, 'blocked', null));
    const resolve: Resolve = async () => [familyOf('8.8.8.8'), familyOf('127.0.0.1')];
    expect(await post(sender({ allow: '', resolve }), victim)).toEqual(result(null, 'blocked', null));
    expect(await victim.hits()).toBe(0);
  });

  it('by a name that rebinds is never reached, in 200 rounds', async () => {
    const victim = await receive((_request, response) => response.end('SECRET'));
    const decoy = closing(await serveOnOtherLoopback('decoy', victim.port));
    let asked = 0;
    const resolve: Resolve = async () => [familyOf(asked++ % 2 === 0 ? decoy.host : '127.0.0.1')];
    const by = sender({ allow: decoy.host.includes(':') ? `[${decoy.host}]` : decoy.host, resolve });
    const errors: Record<string, number> = {};
    for (let round = 0; round < 200; round++) {
      const { error } = await post(by, victim);
      errors[String(error)] = (errors[String(error)] ?? 0) + 1;
    }
    expect(errors).toEqual({ tls: 100, blocked: 100 });
    expect(asked).toBe(200);
    expect(await victim.hits()).toBe(0);
  });

  it.each(['http://receiver.example/', 'ftp://receiver.example/', 'file:///etc/passwd', 'receiver.example', ''])(
    'as %j is blocked: only https is open',
    async (url) => {
      expect(await post(sender(), url)).toEqual(result(null, 'blocked', null));
    },
  );

  it('without an address is a DNS failure', async () => {
    const resolve: Resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await post(sender({ resolve }), 'https://gone.example/')).toEqual(result(null, 'dns', null));
  });
});

it('a look-up that takes all its time is a DNS failure, and is reported as such', async () => {
  const resolve: Resolve = () => new Promise(() => {});
  const outcome = post(sender({ resolve, lookUpTimeoutMs: 50 }), { port: 443 });
  expect(await outcome).toEqual({ ...result(null, 'dns', null), lookUpTimedOut: true });
});

it("an account's dead names leave look-ups to other accounts, and those that waited too long never start", async () => {
  const receiver = await receive((_request, response) => response.end());
  const dead: { end(): void }[] = [];
  const asked: string[] = [];
  const resolve = shareLookups(
    (name) => {
      asked.push(name);
      if (name === 'receiver.example') return toLoopback(name);
      return new Promise<never>((_resolve, reject) => dead.push({ end: () => reject(new Error('no response')) }));
    },
    { atOnce: 48 },
  );
  const by = sender({ resolve, lookUpTimeoutMs: 200 });
  const url = (name: string) => `https://${name}.example/`;
  const dying = Array.from({ length: 50 }, (_, index) => post(by, url(`dead-${index}`), { accountId: 'acc_dead' }));
  expect(await post(by, receiver, { accountId: 'acc_good' })).toMatchObject({ error: null });
  const outcomes = await Promise.all(dying);
  expect(outcomes.every(({ error, lookUpTimedOut }) => error === 'dns' && lookUpTimedOut)).toBe(true);
  expect(dead).toHaveLength(16);
  for (const { end } of dead) end();
  await new Promise(setImmediate);
  expect(asked).toHaveLength(17);
});

it(
  'leaves no connection behind when it closes after a request timed out in the middle of TLS',
  async () => {
    let gone: (() => void) | undefined;
    const ended = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const receiver = await serve(net.createServer((socket) => socket.resume().once('close', () => gone?.())));
    const by = sender();
    expect(await post(by, receiver, { timeoutMs: 50 })).toMatchObject({ error: 'timeout' });
    await by.close();
    await ended;
  },
  SOON_MS,
);
