/**
 * Hosts that resolve to this machine, its network or its metadata service, in spellings that have bypassed filters. None may be
 * reached unless an operator allows it.
 */

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Spellings of 127.0.0.1, ::1 and the unspecified address. A test can listen there. */
export const loopbackHosts: readonly string[] = words(`
  127.0.0.1 127.1 127.0.1 0 0.0.0.0 2130706433 0x7f.1 0x7f000001 0X7F.0.0.1 0177.0.0.1 017700000001 ①②⑦.⓪.⓪.①
  １２７.０.０.１ 127。0。0。1 127.0.0.1. %31%32%37.0.0.1 %31%32%37%2e%30%2e%30%2e%31 [::] [::1] [0:0:0:0:0:0:0:1]
  [::ffff:127.0.0.1] [0:0:0:0:0:ffff:127.0.0.1] [::FFFF:7f00:1] localhost localhost. LOCALHOST a.localhost
  a.b.localhost. %6cocalhost
`);

/** Other private hosts. No test listens there, so tests check them but never connect. */
export const privateHosts: readonly string[] = words(`
  127.0.1.3 127.255.255.254 [::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1]
  [2002:7f00:1::] [2001:0:53aa:64c:0:0:80ff:fffe] [fe80::1] [fe80::1%25eth0] [fec0::1] [fc00::1] [fd00:ec2::254]
  [100::1] [5f00::1] [2001:db8::1] [ff02::1] 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376
  [::ffff:a9fe:a9fe] 168.63.129.16 100.100.100.200 100.64.0.1 10.0.0.1 10.1 172.16.0.1 192.168.0.1 192.0.0.192
  198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255
`);

/**
 * Returns texts that a parser other than the browser's may read as another host. They lead to 127.0.0.1 or are not a URL.
 *
 * @param port of 127.0.0.1; the scheme's default port if omitted.
 */
export function oddUrls(scheme: 'http' | 'https', port?: number): string[] {
  const tail = port === undefined ? '' : `:${port}`;
  const at = `127.0.0.1${tail}`;
  const upper = scheme.toUpperCase();
  return [
    `${scheme}://a@${at}`,
    `${scheme}://example.com@${at}/`,
    `${scheme}://example.com:80@${at}/`,
    `${scheme}://${at}\\@example.com`,
    `${scheme}://${at}\\.example.com`,
    `${scheme}://${at}#@example.com/`,
    `${scheme}://${at}?@example.com`,
    `${scheme}:${at}`,
    `${scheme}:/${at}`,
    `${scheme}:///${at}`,
    `${scheme}:\\\\${at}\\`,
    `${upper}://${at}`,
    ` ${scheme}://${at} `,
    `\t${scheme}://${at}`,
    `${scheme.slice(0, 2)}\n${scheme.slice(2)}://${at}`,
    `${scheme}://127.\t0.0.1${tail}/`,
    `${scheme}://127.0.0\n.1${tail}/`,
    `${scheme}://%31%32%37%2e%30%2e%30%2e%31${tail}/`,
    `${scheme}://127%2e0%2e0%2e1${tail}/`,
  ];
}

/** Schemes other than HTTP(S), in spellings that have bypassed filters. */
export const closedUrls: readonly string[] = [
  ...words(`
    file:///etc/passwd FILE:///etc/passwd File:/etc/passwd file:/etc/passwd file://localhost/etc/passwd
    view-source:file:///etc/passwd view-source:http://127.0.0.1/ view-source:view-source:file:///etc/passwd
    VIEW-SOURCE:http://127.0.0.1/ chrome://version/ CHROME://gpu/ chrome-error://chromewebdata/
    chrome-untrusted://terminal/ chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html
    chrome-search://local-ntp/ devtools://devtools/bundled/inspector.html filesystem:http://127.0.0.1/temporary/x
    filesystem:file:///temporary/x ftp://127.0.0.1/ gopher://127.0.0.1/ dict://127.0.0.1/ ldap://127.0.0.1/
    jar:http://127.0.0.1/!/ blob:http://127.0.0.1/6c6f7374-0000-4000-8000-000000000000 about:blank about:version
    ws://127.0.0.1/ wss://127.0.0.1/ mailto:a@example.com tel:0 isolated-app://x/
  `),
  ' file:///etc/passwd',
  '\tfile:///etc/passwd',
  'fi\nle:///etc/passwd',
  '\\\\localhost/etc/passwd',
  'data:text/html,<body bgcolor=lime>',
  'DATA:text/html,<body bgcolor=lime>',
  'javascript:document.write("<body bgcolor=lime>")',
];
