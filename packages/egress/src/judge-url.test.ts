import { describe, expect, it } from '@jest/globals';
import { parseAddressRules } from './address-rules.ts';
import { judgeUrl, webhookSchemes } from './judge-url.ts';

const closed = parseAddressRules({});
const blocked = { reason: 'blocked', message: expect.stringMatching(/^[A-Z\S].*\.$/) };

describe('a host that is literally not public', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '127.0.1.3',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '017700000001',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '127.0.0.1.',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1%25eth0]',
    '[fe80::1]',
    '169.254.169.254',
    '2852039166',
    '[fd00:ec2::254]',
    '168.63.129.16',
    '100.100.100.200',
    '%31%32%37.0.0.1',
    'localhost',
    'localhost.',
    'LOCALHOST',
    'LocalHost.',
    'a.localhost',
    'a.b.localhost.',
    '%6cocalhost',
  ])('%s is blocked in every scheme', (host) => {
    const verdicts = ['http', 'https', 'ws', 'wss'].map((scheme) => judgeUrl(closed, `${scheme}://${host}/path`));
    expect(verdicts).toEqual([blocked, blocked, blocked, blocked]);
    expect(judgeUrl(closed, `https://${host}/hook`, { schemes: webhookSchemes })).toEqual(blocked);
  });

  it.each([
    'http://a@127.0.0.1',
    'http://example.com@127.0.0.1/',
    'http://127.1.1.1:80\\@example.com',
    'http:127.0.0.1',
    'http:/127.0.0.1',
    'http:\\\\127.0.0.1\\',
    'HTTP://127.0.0.1',
    ' http://127.0.0.1 ',
    'ht\ntp://127.0.0.1',
    'http://127.\t0.0.1',
    'http://127.0.0.1#@example.com/',
    'http://127.0.0.1:8080?@example.com',
    'http://%31%32%37%2e%30%2e%30%2e%31/',
  ])('%j is blocked', (url) => {
    expect(judgeUrl(closed, url)).toEqual(blocked);
  });

  it('is not refused where its address and port are open', () => {
    const rules = parseAddressRules({ allow: '127.0.0.1/32:8080' });
    expect(judgeUrl(rules, 'http://127.1:8080/')).toBeNull();
    expect(judgeUrl(rules, 'http://localhost:8080/')).toBeNull();
    expect(judgeUrl(rules, 'http://[::ffff:127.0.0.1]:8080/')).toBeNull();
    expect(judgeUrl(rules, 'http://127.0.0.1/')).toEqual(blocked);
    expect(judgeUrl(rules, 'http://[::1]:8080/')).toEqual(blocked);
  });
});

describe('a scheme', () => {
  it.each([
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    'view-source:http://example.com',
    'chrome://version',
    'about:blank',
    'data:text/html,x',
    'blob:http://example.com/1',
    'javascript:alert(1)',
    'ftp://example.com/',
    'gopher://example.com/',
    'dict://example.com/',
    'filesystem:http://example.com/x',
    'example.com',
    '//example.com',
    'http://',
    '',
  ])('%j is blocked', (url) => {
    expect(judgeUrl(closed, url)).toEqual(blocked);
  });

  it('of a webhook is https alone', () => {
    expect(judgeUrl(closed, 'https://example.com/hook', { schemes: webhookSchemes })).toBeNull();
    for (const scheme of ['http', 'ws', 'wss', 'HTTP']) {
      expect(judgeUrl(closed, `${scheme}://example.com/hook`, { schemes: webhookSchemes })).toEqual(blocked);
    }
  });
});

describe('what leads to a public place, or to a name that is yet to be looked up', () => {
  it.each([
    'http://example.com/',
    'https://example.com:8443/?q=http://127.0.0.1',
    'wss://example.com/#127.0.0.1',
    'https://xn--mnchen-3ya.example/',
    'http://notlocalhost/',
    'http://localhost.example.com/',
    'http://metadata.google.internal/',
    'http://8.8.8.8/',
    'http://134744072/',
    'http://[2001:4860:4860::8888]/',
  ])('%s is not refused', (url) => {
    expect(judgeUrl(closed, url)).toBeNull();
    expect(judgeUrl(closed, new URL(url))).toBeNull();
  });
});
