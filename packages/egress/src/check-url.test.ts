import { closedUrls, loopbackHosts, oddUrls, privateHosts } from '@capture/testing/network/hostile-addresses';
import { describe, expect, it } from '@jest/globals';
import { parseAddressRules } from './address-rules.ts';
import { checkUrl, webhookSchemes } from './check-url.ts';

const closed = parseAddressRules({});
const blocked = { reason: 'blocked', message: expect.stringMatching(/^[A-Z\S].*\.$/) };

describe('a host that is literally not public', () => {
  it.each([...loopbackHosts, ...privateHosts])('%s is blocked in every scheme', (host) => {
    const decisions = ['http', 'https', 'ws', 'wss'].map((scheme) => checkUrl(closed, `${scheme}://${host}/path`));
    expect(decisions).toEqual([blocked, blocked, blocked, blocked]);
    expect(checkUrl(closed, `https://${host}/hook`, { schemes: webhookSchemes })).toEqual(blocked);
  });

  it.each([...oddUrls('http'), ...oddUrls('https', 8443)])('%j is blocked', (url) => {
    expect(checkUrl(closed, url)).toEqual(blocked);
  });

  it('is not refused if its address and port are open', () => {
    const rules = parseAddressRules({ allow: '127.0.0.1/32:8080' });
    expect(checkUrl(rules, 'http://127.1:8080/')).toBeNull();
    expect(checkUrl(rules, 'http://localhost:8080/')).toBeNull();
    expect(checkUrl(rules, 'http://[::ffff:127.0.0.1]:8080/')).toBeNull();
    expect(checkUrl(rules, 'http://127.0.0.1/')).toEqual(blocked);
    expect(checkUrl(rules, 'http://[::1]:8080/')).toEqual(blocked);
  });
});

describe('a scheme', () => {
  it.each([...closedUrls.filter((url) => !/^wss?:/.test(url)), 'example.com', '//example.com', 'http://', ''])(
    '%j is blocked',
    (url) => {
      expect(checkUrl(closed, url)).toEqual(blocked);
    },
  );

  it('of a webhook must be https', () => {
    expect(checkUrl(closed, 'https://example.com/hook', { schemes: webhookSchemes })).toBeNull();
    for (const scheme of ['http', 'ws', 'wss', 'HTTP']) {
      expect(checkUrl(closed, `${scheme}://example.com/hook`, { schemes: webhookSchemes })).toEqual(blocked);
    }
  });
});

describe('a public address, or a name that is not looked up yet', () => {
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
    expect(checkUrl(closed, url)).toBeNull();
    expect(checkUrl(closed, new URL(url))).toBeNull();
  });
});
