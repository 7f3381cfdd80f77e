import { describe, expect, it, jest } from '@jest/globals';
import { parseAddressRules } from './address-rules.ts';
import { lookUp, type Resolve, shareLookups } from './look-up.ts';
import { rememberLookups } from './remember-lookups.ts';
import { familyOf } from './servers.test-support.ts';

const closed = parseAddressRules({});
const resolvingTo = (...addresses: string[]) => jest.fn<Resolve>(async () => addresses.map(familyOf));

describe('a name', () => {
  it('is looked up once and gives its addresses in order', async () => {
    const resolve = resolvingTo('8.8.8.8', '2001:4860:4860::8888');
    await expect(lookUp(closed, 'dns.example', 443, { resolve })).resolves.toEqual({
      address: '8.8.8.8',
      family: 4,
      addresses: [familyOf('8.8.8.8'), familyOf('2001:4860:4860::8888')],
    });
    expect(resolve.mock.calls.map(([name]) => name)).toEqual(['dns.example']);
  });

  it.each([
    [['127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['8.8.8.8', '::1']],
    [['8.8.8.8', '1.1.1.1', '::ffff:10.0.0.1']],
    [['2001:4860:4860::8888', '169.254.169.254']],
    [['8.8.8.8', 'not an address']],
  ])('with the addresses %j is blocked', async (addresses) => {
    const looking = lookUp(closed, 'mixed.example', 443, { resolve: resolvingTo(...addresses) });
    await expect(looking).rejects.toMatchObject({
      reason: 'blocked',
      message: 'mixed.example:443 is not a public address. The operator can allow it with EGRESS_ALLOW.',
    });
  });

  it('without an address is a DNS failure', async () => {
    await expect(lookUp(closed, 'empty.example', 443, { resolve: resolvingTo() })).rejects.toMatchObject({
      reason: 'dns',
    });
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    await expect(lookUp(closed, 'gone.example', 443, { resolve })).rejects.toMatchObject({ reason: 'dns' });
  });

  it('whose resolver hangs is a DNS failure after the time limit', async () => {
    const resolve = () => new Promise<never>(() => {});
    const looking = lookUp(closed, 'slow.example', 443, { resolve, lookUpTimeoutMs: 10 });
    await expect(looking).rejects.toMatchObject({ reason: 'dns' });
  });

  it("that cannot be a URL's host is a DNS failure and is not looked up", async () => {
    const resolve = resolvingTo('8.8.8.8');
    for (const name of ['', 'a b', 'a/b', 'a@b', 'a:80', '[::1]:80', `${'a'.repeat(300)}.example`]) {
      await expect(lookUp(closed, name, 443, { resolve })).rejects.toMatchObject({ reason: 'dns' });
    }
    expect(resolve).not.toHaveBeenCalled();
  });

  it('that the real resolver does not know is a DNS failure', async () => {
    await expect(lookUp(closed, 'no-such-name.invalid', 443)).rejects.toMatchObject({ reason: 'dns' });
  });
});

describe('an address or localhost', () => {
  it.each(['127.0.0.1', '127.1', '2130706433', '[::1]', '::1', '①②⑦.0.0.1', 'localhost', 'LOCALHOST.', 'a.localhost'])(
    '%s is checked without a look-up',
    async (host) => {
      const resolve = resolvingTo('8.8.8.8');
      await expect(lookUp(closed, host, 443, { resolve })).rejects.toMatchObject({ reason: 'blocked' });
      expect(resolve).not.toHaveBeenCalled();
    },
  );

  it('leads to the loopback address that is open', async () => {
    const open = (allow: string) => lookUp(parseAddressRules({ allow }), 'localhost', 80);
    await expect(open('127.0.0.1')).resolves.toMatchObject({ address: '127.0.0.1', family: 4 });
    await expect(open('::1')).resolves.toMatchObject({ address: '::1', family: 6 });
  });
});

describe('cached look-ups', () => {
  it('happen once per name, also when they fail', async () => {
    const ask = jest.fn<Resolve>(async (name) => {
      if (name === 'gone.example') throw new Error('ENOTFOUND');
      return [familyOf('8.8.8.8')];
    });
    const resolve = rememberLookups(ask);
    await Promise.all([resolve('a.example'), resolve('a.example')]);
    await resolve('a.example');
    await expect(resolve('gone.example')).rejects.toThrow('ENOTFOUND');
    await expect(resolve('gone.example')).rejects.toThrow('ENOTFOUND');
    expect(ask.mock.calls.map(([name]) => name)).toEqual(['a.example', 'gone.example']);
  });

  it('are bounded in number: further names are not looked up', async () => {
    const ask = resolvingTo('8.8.8.8');
    const resolve = rememberLookups(ask, { names: 2 });
    for (const name of ['a', 'b', 'a', 'b']) await resolve(name);
    await expect(resolve('c')).rejects.toThrow('too many names');
    await resolve('a');
    expect(ask.mock.calls.map(([name]) => name)).toEqual(['a', 'b']);
  });
});

it('a look-up without an owner, of the process itself, does not wait for those of others', async () => {
  const asked: string[] = [];
  const resolve = shareLookups((name) => new Promise<never>(() => void asked.push(name)), { atOnce: 1 });
  for (const name of ['one', 'two']) void resolve(name, { owner: 'capture', most: 6 });
  void resolve('postgres');
  await new Promise(setImmediate);
  expect(asked.toSorted()).toEqual(['one', 'postgres']);
});
