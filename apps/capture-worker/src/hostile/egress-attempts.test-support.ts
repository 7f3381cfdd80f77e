/**
 * One way a page may try to reach a server: by embedding, requesting, opening or hinting at a URL. The HTML makes its attempt
 * when it is loaded; the page waits for asynchronous code that uses `later`.
 */
export interface EgressAttempt {
  readonly name: string;
  /** @param at `host:port` of the target. */
  html(at: string): string;
  /**
   * The page never reaches the target this way, even if the target is allowed: Chromium does not support the attempt, or a flag
   * disables it because it would bypass the proxy.
   */
  readonly unsupported?: true;
}

const script = (code: string) => `<script>later(async () => { ${code} })</script>`;
const attempt = (name: string, html: (at: string) => string): EgressAttempt => ({ name, html });
const unsupported = (name: string, html: (at: string) => string): EgressAttempt => ({ name, html, unsupported: true });
const inWorker = (code: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))`;

const embedded: readonly EgressAttempt[] = [
  attempt('iframe', (at) => `<iframe src="http://${at}/"></iframe>`),
  attempt('iframe in https', (at) => `<iframe src="https://${at}/"></iframe>`),
  attempt('iframe in a srcdoc frame', (at) => `<iframe srcdoc="<iframe src='http://${at}/'></iframe>"></iframe>`),
  attempt('iframe of a data: document', (at) => `<iframe src="data:text/html,<img src='http://${at}/'>"></iframe>`),
  attempt('iframe of a blob: document', (at) =>
    script(`const frame = document.createElement('iframe');
      frame.src = URL.createObjectURL(new Blob(['<img src="http://${at}/">'], { type: 'text/html' }));
      document.body.append(frame);`),
  ),
  attempt('iframe of a javascript: document', (at) => `<iframe src="javascript:'<img src=http://${at}/>'"></iframe>`),
  attempt('iframe with a redirect', (at) => `<iframe src="/redirect?to=http://${at}/"></iframe>`),
  attempt(
    'iframe with a meta refresh',
    (at) => `<iframe srcdoc="<meta http-equiv=refresh content='0;http://${at}/'>"></iframe>`,
  ),
  attempt('iframe with a Refresh header', (at) => `<iframe src="/refresh?to=http://${at}/"></iframe>`),
  attempt('object', (at) => `<object data="http://${at}/"></object>`),
  attempt('embed', (at) => `<embed src="http://${at}/">`),
  attempt('img', (at) => `<img src="http://${at}/">`),
  attempt('img with srcset', (at) => `<img srcset="http://${at}/ 1x">`),
  attempt('img with a redirect', (at) => `<img src="/redirect?to=http://${at}/">`),
  attempt('img with a protocol-relative URL', (at) => `<img src="//${at}/">`),
  attempt('img with backslashes', (at) => `<img src="\\\\${at}\\">`),
  attempt('input image', (at) => `<input type="image" src="http://${at}/">`),
  attempt('script', (at) => `<script src="http://${at}/"></script>`),
  attempt('module', (at) => `<script type="module">import 'http://${at}/'</script>`),
  attempt('import()', (at) => script(`await import('http://${at}/')`)),
  attempt('stylesheet', (at) => `<link rel="stylesheet" href="http://${at}/">`),
  attempt('@import', (at) => `<style>@import 'http://${at}/';</style>`),
  attempt('CSS background', (at) => `<p style="background: url(http://${at}/)">x</p>`),
  attempt(
    'font',
    (at) => `<style>@font-face { font-family: F; src: url(http://${at}/) }</style><p style="font-family: F">x</p>`,
  ),
  attempt('SVG image', (at) => `<svg><image href="http://${at}/" width="9" height="9"/></svg>`),
  attempt(
    'SVG filter',
    (at) =>
      `<svg><filter id="f"><feImage href="http://${at}/"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
  ),
  attempt('video', (at) => `<video src="http://${at}/"></video>`),
  attempt('video poster', (at) => `<video poster="http://${at}/"></video>`),
  attempt('audio', (at) => `<audio src="http://${at}/" preload="auto"></audio>`),
  attempt('track', (at) => `<video crossorigin src="/none"><track default src="http://${at}/"></video>`),
];

const requested: readonly EgressAttempt[] = [
  attempt('fetch', (at) => script(`await fetch('http://${at}/')`)),
  attempt('fetch with no-cors', (at) => script(`await fetch('http://${at}/', { mode: 'no-cors' })`)),
  attempt('fetch with a redirect', (at) => script(`await fetch('/redirect?to=http://${at}/')`)),
  attempt('fetch with keepalive', (at) => script(`await fetch('http://${at}/', { keepalive: true, mode: 'no-cors' })`)),
  attempt('XMLHttpRequest', (at) =>
    script(`const x = new XMLHttpRequest(); x.open('GET', 'http://${at}/', false); x.send()`),
  ),
  attempt('sendBeacon', (at) => script(`navigator.sendBeacon('http://${at}/', 'x')`)),
  attempt('EventSource', (at) => script(`new EventSource('http://${at}/')`)),
  attempt('WebSocket', (at) => script(`await opened(new WebSocket('ws://${at}/'))`)),
  attempt('WebSocket over TLS', (at) => script(`await opened(new WebSocket('wss://${at}/'))`)),
  attempt('fetch in a worker', (at) => script(inWorker(`fetch('http://${at}/')`))),
  attempt('WebSocket in a worker', (at) => script(inWorker(`new WebSocket('ws://${at}/')`))),
  attempt('importScripts in a worker', (at) => script(inWorker(`importScripts('http://${at}/')`))),
  attempt('fetch in a nested worker', (at) => script(inWorker(inWorker(`fetch('http://${at}/')`)))),
  attempt('WebSocket in a nested worker', (at) => script(inWorker(inWorker(`new WebSocket('ws://${at}/')`)))),
  attempt('fetch in a shared worker', (at) => script(`new SharedWorker('/worker.js?to=http://${at}/', '${at}')`)),
  attempt('WebSocket in a shared worker', (at) => script(`new SharedWorker('/worker.js?to=ws://${at}/', '${at}')`)),
  attempt('fetch in a service worker', (at) =>
    script(`await navigator.serviceWorker.register('/worker.js?to=http://${at}/', { scope: '/of-${at}' })`),
  ),
  attempt('AudioWorklet', (at) => script(`await new AudioContext().audioWorklet.addModule('http://${at}/')`)),
  attempt(
    'form in a frame',
    (at) => `<iframe name="form-${at}"></iframe>
    <form method="post" target="form-${at}" action="http://${at}/"></form><script>document.forms[document.forms.length - 1].submit()</script>`,
  ),
  attempt('CSP report', (at) => `<iframe src="/csp?to=http://${at}/"></iframe>`),
  attempt('preload', (at) => `<link rel="preload" as="image" href="http://${at}/">`),
  attempt('modulepreload', (at) => `<link rel="modulepreload" href="http://${at}/">`),
  attempt('preload by a Link header', (at) => `<iframe src="/link?to=http://${at}/"></iframe>`),
  attempt('prefetch', (at) => `<link rel="prefetch" href="http://${at}/">`),
  unsupported('preconnect', (at) => `<link rel="preconnect" href="https://${at}/">`),
];

const indirect: readonly EgressAttempt[] = [
  unsupported('dns-prefetch', (at) => `<link rel="dns-prefetch" href="http://${at}/">`),
  unsupported('manifest', (at) => `<link rel="manifest" href="http://${at}/">`),
  unsupported('icon', (at) => `<link rel="icon" href="http://${at}/">`),
  attempt(
    'speculation rules',
    (at) =>
      `<script type="speculationrules">{"prefetch":[{"urls":["http://${at}/"],"eagerness":"immediate"}],"prerender":[{"urls":["http://${at}/"],"eagerness":"immediate"}]}</script>`,
  ),
  unsupported('window.open', (at) => script(`window.open('http://${at}/')`)),
  unsupported(
    'link to a new window',
    (at) =>
      `<a target="_blank" href="http://${at}/"></a><script>document.links[document.links.length - 1].click()</script>`,
  ),
  unsupported(
    'form to a new window',
    (at) => `<form method="post" target="_blank" action="http://${at}/"></form>
    <script>document.forms[document.forms.length - 1].submit()</script>`,
  ),
  attempt(
    'download',
    (at) =>
      `<iframe name="download-${at}"></iframe><a download target="download-${at}" href="http://${at}/"></a><script>document.links[document.links.length - 1].click()</script>`,
  ),
  unsupported('attachment', (at) => `<link rel="attachment" href="http://${at}/">`),
  attempt(
    'ping',
    (at) => `<a ping="http://${at}/" href="#x"></a><script>document.links[document.links.length - 1].click()</script>`,
  ),
  unsupported('STUN over UDP', (at) => script(`await gather('stun:${at}')`)),
  unsupported('TURN over UDP', (at) => script(`await gather('turn:${at}?transport=udp')`)),
  attempt('TURN over TCP', (at) => script(`await gather('turn:${at}?transport=tcp')`)),
  attempt('TURN over TLS', (at) => script(`await gather('turns:${at}?transport=tcp')`)),
  unsupported('WebRTC peer over UDP', (at) => script(`await callPeer('${at}', 'udp')`)),
  attempt('WebRTC peer over TCP', (at) => script(`await callPeer('${at}', 'tcp')`)),
  unsupported('WebTransport', (at) => script(`await new WebTransport('https://${at}/').ready`)),
  unsupported('frame with an ftp: URL', (at) => `<iframe src="ftp://${at}/"></iframe>`),
  unsupported('frame with a gopher: URL', (at) => `<iframe src="gopher://${at}/"></iframe>`),
];

export const egressAttempts: readonly EgressAttempt[] = [...embedded, ...requested, ...indirect];
