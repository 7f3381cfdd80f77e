import { once } from 'node:events';
import net from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { parseAddressRules } from './address-rules.ts';
import { dial } from './dial.ts';
import type { Resolve } from './look-up.ts';
import {
  closedPort,
  familyOf,
  hangingPort,
  type Listening,
  listenOn,
  serveOnOtherLoopback,
  serveText,
} from './servers.test-support.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0).reverse()) await server.close();
});
function closing<T extends { close(): Promise<void> }>(server: T): T {
  open.push(server);
  return server;
}
/** Returns an entry that opens exactly these servers. */
const allowing = (...servers: Listening[]) =>
  parseAddressRules({
    allow: servers.map(({ host, port }) => (net.isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`)).join(','),
  });

describe('dialling', () => {
  it('connects to the checked address', async () => {
    const server = closing(await listenOn(net.createServer((socket) => socket.end('hello'))));
    const socket = await dial(allowing(server), { hostname: '127.1', port: server.port });
    const [data] = await once(socket, 'data');
    expect(String(data)).toBe('hello');
    socket.destroy();
  });

  it('never reaches a name that rebinds from an open address to a closed one, in 200 rounds', async () => {
    const victim = closing(await serveText('SECRET'));
    const decoy = closing(await serveOnOtherLoopback('decoy', victim.port));
    const rules = allowing(decoy);
    let asked = 0;
    const resolve: Resolve = async () => [familyOf(asked++ % 2 === 0 ? decoy.host : victim.host)];

    const outcomes = { reached: 0, blocked: 0 };
    for (let round = 0; round < 200; round++) {
      const target = { hostname: 'rebind.example', port: victim.port };
      const socket = await dial(rules, target, { resolve }).catch((error) => {
        expect(error).toMatchObject({ reason: 'blocked' });
        outcomes.blocked += 1;
      });
      if (!socket) continue;
      expect(socket.remoteAddress).toBe(decoy.host);
      outcomes.reached += 1;
      socket.destroy();
    }
    expect(outcomes).toEqual({ reached: 100, blocked: 100 });
    expect(asked).toBe(200);
    expect(await victim.hits()).toBe(0);
  });

  it('reaches no address of a name if one of them is closed', async () => {
    const victim = closing(await serveText('SECRET'));
    const decoy = closing(await serveOnOtherLoopback('decoy', victim.port));
    const resolve: Resolve = async () => [familyOf(decoy.host), familyOf(victim.host)];
    const dialling = dial(allowing(decoy), { hostname: 'mixed.example', port: victim.port }, { resolve });
    await expect(dialling).rejects.toMatchObject({ reason: 'blocked' });
    expect([await victim.hits(), await decoy.hits()]).toEqual([0, 0]);
  });

  it('tries the next address if one does not respond', async () => {
    const hanging = closing(await hangingPort());
    const server = closing(await serveOnOtherLoopback('here', hanging.port));
    const rules = parseAddressRules({ allow: '127.0.0.0/8,::1' });
    const resolve: Resolve = async () => [familyOf('127.0.0.1'), familyOf(server.host)];
    const socket = await dial(rules, { hostname: 'two.example', port: hanging.port }, { resolve });
    expect(socket.remoteAddress).toBe(server.host);
    socket.destroy();
  });
});

describe('a failure to connect', () => {
  const rules = parseAddressRules({ allow: '127.0.0.0/8' });

  it('is refused without a listener', async () => {
    const dialling = dial(rules, { hostname: '127.0.0.1', port: await closedPort() });
    await expect(dialling).rejects.toMatchObject({ reason: 'refused' });
  });

  it('is a timeout if no connection is accepted', async () => {
    const hanging = closing(await hangingPort());
    const dialling = dial(rules, { hostname: '127.0.0.1', port: hanging.port }, { connectTimeoutMs: 50 });
    await expect(dialling).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('is reported at once when it is aborted', async () => {
    const hanging = closing(await hangingPort());
    const calling = new AbortController();
    const dialling = dial(rules, { hostname: '127.0.0.1', port: hanging.port }, { signal: calling.signal });
    calling.abort();
    await expect(dialling).rejects.toMatchObject({ reason: 'reset' });
  });
});
