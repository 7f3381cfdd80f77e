import { networkInterfaces } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { checkAddress, parseAddressRules } from './address-rules.ts';

const closed = parseAddressRules({});

describe('without any rule', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '::ffff:8.8.8.8',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
  ])('%s is allowed', (address) => {
    expect(checkAddress(closed, address, 443)).toBe('allowed');
  });

  it.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1']],
    ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd00:ec2::254', 'fec0::1']],
    ['link-local and metadata', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', '168.63.129.16', '100.100.100.200']],
    ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
    ['reserved', ['192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1']],
    ['broadcast and multicast', ['255.255.255.255', '224.0.0.1', 'ff02::1']],
    ['IPv4-mapped', ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:10.0.0.1', '::ffff:168.63.129.16']],
    ['IPv4-compatible', ['::127.0.0.1', '::7f00:1', '::8.8.8.8']],
    ['translated (RFC 6145)', ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8']],
    ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1']],
    ['6to4', ['2002:7f00:1::', '2002:808:808::1']],
    ['Teredo', ['2001:0:53aa:64c:0:0:80ff:fffe']],
    ['ISATAP around a private address', ['2a00:1450::5efe:10.0.0.1', '2a00:1450::200:5efe:a00:1']],
    ['documentation, discard, segment routing', ['2001:db8::1', '3fff::1', '100::1', '5f00::1']],
    ['outside of 2000::/3', ['200::1', '4000::1', '1::1']],
    ['no address at all', ['', 'localhost', 'example.com', '127.1', '2130706433', '0x7f.1', '[::1]', '8.8.8.8/32']],
  ])('%s is blocked', (_range, addresses) => {
    const decisions = addresses.map((address) => [address, checkAddress(closed, address, 443)]);
    expect(decisions).toEqual(addresses.map((address) => [address, 'blocked']));
  });

  it.each([0, -1, 65_536, 1.5, Number.NaN])('port %s is blocked', (port) => {
    expect(checkAddress(closed, '8.8.8.8', port)).toBe('blocked');
  });
});

describe('EGRESS_ALLOW', () => {
  it.each([
    ['10.0.0.0/8', '10.200.0.1', 80, 'allowed'],
    ['10.0.0.0/8', '11.0.0.1', 80, 'allowed'],
    ['10.0.0.0/8', '192.168.0.1', 80, 'blocked'],
    ['10.0.0.0/8', '::ffff:10.0.0.1', 80, 'allowed'],
    ['127.0.0.1/8', '127.9.9.9', 80, 'allowed'],
    ['127.0.0.1/32:8080', '127.0.0.1', 8080, 'allowed'],
    ['127.0.0.1/32:8080', '127.0.0.1', 8081, 'blocked'],
    ['127.0.0.1/32:8080', '127.0.0.2', 8080, 'blocked'],
    ['127.0.0.1/32:8080', '::1', 8080, 'blocked'],
    ['127.0.0.1:8080', '127.0.0.1', 8080, 'allowed'],
    ['127.0.0.1', '127.0.0.1', 1, 'allowed'],
    ['127.0.0.1', '127.0.0.2', 1, 'blocked'],
    ['::1/128', '::1', 80, 'allowed'],
    ['::1', '127.0.0.1', 80, 'blocked'],
    ['[::1/128]:443', '::1', 443, 'allowed'],
    ['[::1/128]:443', '::1', 80, 'blocked'],
    ['[::1]:443', '::1', 443, 'allowed'],
    ['[fd00::/8]', 'fd12::1', 443, 'allowed'],
    ['::ffff:10.0.0.0/104', '10.1.1.1', 80, 'allowed'],
    ['169.254.169.254', '169.254.169.254', 80, 'allowed'],
    ['168.63.129.16', '168.63.129.16', 80, 'allowed'],
    [' 10.0.0.1 , ,192.168.0.0/16:443,', '192.168.7.7', 443, 'allowed'],
    ['0.0.0.0/0', '::1', 80, 'blocked'],
  ])('%s: %s port %i is %s', (allow, address, port, decision) => {
    expect(checkAddress(parseAddressRules({ allow }), address, port)).toBe(decision);
  });

  it('opens a NAT64 network only for the IPv4 addresses that are open themselves', () => {
    const rules = parseAddressRules({ allow: '64:ff9b::/96', deny: '9.9.9.0/24' });
    expect(checkAddress(rules, '64:ff9b::8.8.8.8', 443)).toBe('allowed');
    expect(checkAddress(rules, '64:ff9b::10.0.0.1', 443)).toBe('blocked');
    expect(checkAddress(rules, '64:ff9b::9.9.9.9', 443)).toBe('blocked');
  });
});

describe('EGRESS_DENY', () => {
  it.each([
    [{ deny: '8.8.8.0/24' }, '8.8.8.8', 443],
    [{ deny: '8.8.8.8:443' }, '8.8.8.8', 443],
    [{ deny: '8.8.8.8' }, '::ffff:8.8.8.8', 443],
    [{ allow: '10.0.0.0/8', deny: '10.0.0.5' }, '10.0.0.5', 80],
    [{ allow: '10.0.0.5:80', deny: '10.0.0.0/8' }, '10.0.0.5', 80],
    [{ deny: '2001:4860::/32' }, '2001:4860:4860::8888', 443],
  ])('%j wins for %s port %i', (texts, address, port) => {
    expect(checkAddress(parseAddressRules(texts), address, port)).toBe('blocked');
  });

  it('on one port does not affect other ports', () => {
    expect(checkAddress(parseAddressRules({ deny: '8.8.8.8:443' }), '8.8.8.8', 80)).toBe('allowed');
  });
});

describe("the platform's own endpoints", () => {
  const ownAddress = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address);
  const everyLocalAddress = ['127.0.0.1', '127.8.8.8', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1', ...ownAddress];
  const everything = '0.0.0.0/0,::/0';

  it.each(everyLocalAddress)('stay closed on %s, however wide a range is opened', (address) => {
    const rules = parseAddressRules({ allow: everything, own: [{ port: 5432 }] });
    expect(checkAddress(rules, address, 5432)).toBe('blocked');
    expect(checkAddress(rules, address, 5433)).toBe('allowed');
  });

  it('on a public address of this machine are closed by default, like all its ports', () => {
    const local = ['8.8.8.8', '2001:4860:4860::8888'];
    for (const address of [...local, '::ffff:8.8.8.8', '64:ff9b::8.8.8.8']) {
      expect(checkAddress(parseAddressRules({ local }), address, 443)).toBe('blocked');
    }
    expect(checkAddress(parseAddressRules({ local }), '8.8.4.4', 443)).toBe('allowed');
    const opened = parseAddressRules({ local, allow: '8.8.8.8', own: [{ port: 5432 }] });
    expect(checkAddress(opened, '8.8.8.8', 443)).toBe('allowed');
    expect(checkAddress(opened, '8.8.8.8', 5432)).toBe('blocked');
  });

  it('open for an entry that names the port', () => {
    const rules = parseAddressRules({ allow: '127.0.0.1/32:5432', own: [{ port: 5432 }] });
    expect(checkAddress(rules, '127.0.0.1', 5432)).toBe('allowed');
    expect(checkAddress(rules, '127.0.0.2', 5432)).toBe('blocked');
  });

  it('are closed on all addresses of this machine if one is given', () => {
    const rules = parseAddressRules({ allow: everything, own: [{ address: '127.0.0.1', port: 5432 }] });
    expect(everyLocalAddress.map((address) => checkAddress(rules, address, 5432))).not.toContain('allowed');
  });

  it('are closed on another machine only at their address', () => {
    const rules = parseAddressRules({ allow: '10.0.0.0/8', own: [{ address: '10.0.0.5', port: 5432 }] });
    expect(checkAddress(rules, '10.0.0.5', 5432)).toBe('blocked');
    expect(checkAddress(rules, '::ffff:10.0.0.5', 5432)).toBe('blocked');
    expect(checkAddress(rules, '10.0.0.6', 5432)).toBe('allowed');
    expect(checkAddress(rules, '10.0.0.5', 80)).toBe('allowed');
  });

  it('must be given as addresses', () => {
    expect(() => parseAddressRules({ own: [{ address: 'db', port: 5432 }] })).toThrow('"db" is not an IP address');
  });
});

describe('a malformed entry', () => {
  it.each([
    'db.example.com',
    '10.0.0.0/8:',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.1',
    '010.0.0.1',
    '10.0.0.0/8:0',
    '10.0.0.0/8:65536',
    '10.0.0.0/8:http',
    '::1/129',
    '::ffff:0:0/95',
    '[::1',
    '[::1]/128',
    '[::1]:',
    'fe80::1%eth0',
    '10.0.0.0/-1',
    '10.0.0.0 /8',
    '*',
    'http://10.0.0.1',
  ])('%s is refused in one sentence that names the variable and the entry', (entry) => {
    const sentence = new RegExp(`^EGRESS_\\w+: "${entry.replace(/[[\]().*+?^$|/\\]/g, '\\$&')}" .*\\.$`);
    expect(() => parseAddressRules({ allow: `10.0.0.0/8,${entry}` })).toThrow(sentence);
    expect(() => parseAddressRules({ deny: entry })).toThrow('EGRESS_DENY');
  });
});
