import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { checkAddress, parseAddressRules } from './address-rules.ts';
import type { Resolve } from './look-up.ts';
import { ownEndpoints } from './own-endpoints.ts';
import { closedPort, familyOf } from './servers.test-support.ts';

const resolve: Resolve = async (name) => {
  if (name === 'db') return [familyOf('10.0.0.5'), familyOf('fd00::5')];
  throw new Error('ENOTFOUND');
};

it("finds the gateway's port and the other parts' addresses and ports", async () => {
  const urls = [
    'postgres://user:p%40ss@db:5433/platform',
    'postgresql://127.0.0.1/platform',
    'redis://[::1]',
    'rediss://gone',
    'http://db:9000',
  ];
  expect(await ownEndpoints({ port: 3000, urls }, { resolve })).toEqual([
    { port: 3000 },
    { address: '10.0.0.5', port: 5433 },
    { address: 'fd00::5', port: 5433 },
    { address: '127.0.0.1', port: 5432 },
    { address: '::1', port: 6379 },
    { port: 6379 },
    { address: '10.0.0.5', port: 9000 },
    { address: 'fd00::5', port: 9000 },
  ]);
});

it('adds nothing for URLs without a TCP service, and repeats no URL in an error', async () => {
  const urls = [
    'file:///var/data',
    's3://bucket',
    '/run/postgresql',
    'postgres://user:password@',
    'postgres:///platform?host=/run',
    '',
  ];
  expect(await ownEndpoints({ port: 3000, urls }, { resolve })).toEqual([{ port: 3000 }]);
});

it('closes the port of a listener to the services in other processes, for as long as its process lives', async () => {
  const port = await closedPort();
  const program = `
    const { serviceAddressRules } = await import(${JSON.stringify(new URL('../dist/own-endpoints.js', import.meta.url).href)});
    const config = { PORT: 1, DATABASE_URL: 'postgres://127.0.0.1', REDIS_URL: 'redis://127.0.0.1' };
    await serviceAddressRules({ ...config, EGRESS_ALLOW: '', EGRESS_DENY: '' }, { port: ${port} });
    console.log('listening');
    setInterval(() => {}, 1000);`;
  const rules = parseAddressRules({ allow: '127.0.0.0/8' });
  expect(checkAddress(rules, '127.0.0.1', port)).toBe('allowed');
  const service = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(service.stdout, 'data');
    expect(checkAddress(rules, '127.0.0.1', port)).toBe('blocked');
    expect(checkAddress(rules, '127.8.8.8', port)).toBe('blocked');
    const named = parseAddressRules({ allow: `127.0.0.1:${port}` });
    expect(checkAddress(named, '127.0.0.1', port)).toBe('allowed');
  } finally {
    service.kill('SIGKILL');
    await once(service, 'exit');
  }
  expect(checkAddress(rules, '127.0.0.1', port)).toBe('allowed');
});

it('keeps them closed in an open range', async () => {
  const own = await ownEndpoints({ port: 3000, urls: ['postgres://db', 'redis://localhost'] }, { resolve });
  const rules = parseAddressRules({ allow: '10.0.0.0/8,127.0.0.0/8,[fd00::/8]', own });
  const decisions = ['10.0.0.5', 'fd00::5'].map((address) => checkAddress(rules, address, 5432));
  expect([...decisions, checkAddress(rules, '127.0.0.1', 6379)]).toEqual(['blocked', 'blocked', 'blocked']);
  expect(checkAddress(rules, '10.0.0.6', 5432)).toBe('allowed');
});
