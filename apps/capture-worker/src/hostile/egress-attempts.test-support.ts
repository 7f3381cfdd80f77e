/**
 * Ways in which a page may try to reach something: what it embeds, asks for, opens, or merely hints at. Each is HTML that
 * makes its try when it is loaded; what it waits for goes through `later`, which the page as a whole waits for.
 */
export interface EgressAttempt {
  readonly name: string;
  /** @param at `host:port` of what is to be reached */
  html(at: string): string;
  /**
   * The page reaches nothing this way, allowed or not: the browser has no such thing, or it would go around the proxy and
   * so is turned off.
   */
  readonly never?: true;
}

const script = (code: string) => `<script>later(async () => { ${code} })</script>`;
const way = (name: string, html: (at: string) => string): EgressAttempt => ({ name, html });
const never = (name: string, html: (at: string) => string): EgressAttempt => ({ name, html, never: true });
const inWorker = (code: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))`;

const embedded: readonly EgressAttempt[] = [
  way('iframe', (at) => `<iframe src="http://${at}/"></iframe>`),
  way('iframe in https', (at) => `<iframe src="https://${at}/"></iframe>`),
  way('iframe in a frame of no address', (at) => `<iframe srcdoc="<iframe src='http://${at}/'></iframe>"></iframe>`),
  way('iframe of a data: document', (at) => `<iframe src="data:text/html,<img src='http://${at}/'>"></iframe>`),
  way('iframe of a blob: document', (at) =>
    script(`const frame = document.createElement('iframe');
      frame.src = URL.createObjectURL(new Blob(['<img src="http://${at}/">'], { type: 'text/html' }));
      document.body.append(frame);`),
  ),
  way('iframe of a javascript: document', (at) => `<iframe src="javascript:'<img src=http://${at}/>'"></iframe>`),
  way('iframe that a redirect leads on', (at) => `<iframe src="/redirect?to=http://${at}/"></iframe>`),
  way(
    'iframe that refreshes itself',
    (at) => `<iframe srcdoc="<meta http-equiv=refresh content='0;http://${at}/'>"></iframe>`,
  ),
  way('iframe with a Refresh header', (at) => `<iframe src="/refresh?to=http://${at}/"></iframe>`),
  way('object', (at) => `<object data="http://${at}/"></object>`),
  way('embed', (at) => `<embed src="http://${at}/">`),
  way('img', (at) => `<img src="http://${at}/">`),
  way('img with srcset', (at) => `<img srcset="http://${at}/ 1x">`),
  way('img that a redirect leads on', (at) => `<img src="/redirect?to=http://${at}/">`),
  way('img of two slashes', (at) => `<img src="//${at}/">`),
  way('img of back slashes', (at) => `<img src="\\\\${at}\\">`),
  way('input image', (at) => `<input type="image" src="http://${at}/">`),
  way('script', (at) => `<script src="http://${at}/"></script>`),
  way('module', (at) => `<script type="module">import 'http://${at}/'</script>`),
  way('import()', (at) => script(`await import('http://${at}/')`)),
  way('stylesheet', (at) => `<link rel="stylesheet" href="http://${at}/">`),
  way('@import', (at) => `<style>@import 'http://${at}/';</style>`),
  way('CSS background', (at) => `<p style="background: url(http://${at}/)">x</p>`),
  way(
    'font',
    (at) => `<style>@font-face { font-family: F; src: url(http://${at}/) }</style><p style="font-family: F">x</p>`,
  ),
  way('SVG image', (at) => `<svg><image href="http://${at}/" width="9" height="9"/></svg>`),
  way(
    'SVG filter',
    (at) =>
      `<svg><filter id="f"><feImage href="http://${at}/"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
  ),
  way('video', (at) => `<video src="http://${at}/"></video>`),
  way('video poster', (at) => `<video poster="http://${at}/"></video>`),
  way('audio', (at) => `<audio src="http://${at}/" preload="auto"></audio>`),
  way('track', (at) => `<video crossorigin src="/none"><track default src="http://${at}/"></video>`),
];

const asked: readonly EgressAttempt[] = [
  way('fetch', (at) => script(`await fetch('http://${at}/')`)),
  way('fetch with no-cors', (at) => script(`await fetch('http://${at}/', { mode: 'no-cors' })`)),
  way('fetch that a redirect leads on', (at) => script(`await fetch('/redirect?to=http://${at}/')`)),
  way('fetch that is kept alive', (at) => script(`await fetch('http://${at}/', { keepalive: true, mode: 'no-cors' })`)),
  way('XMLHttpRequest', (at) =>
    script(`const x = new XMLHttpRequest(); x.open('GET', 'http://${at}/', false); x.send()`),
  ),
  way('sendBeacon', (at) => script(`navigator.sendBeacon('http://${at}/', 'x')`)),
  way('EventSource', (at) => script(`new EventSource('http://${at}/')`)),
  way('WebSocket', (at) => script(`await opened(new WebSocket('ws://${at}/'))`)),
  way('WebSocket in TLS', (at) => script(`await opened(new WebSocket('wss://${at}/'))`)),
  way('fetch in a worker', (at) => script(inWorker(`fetch('http://${at}/')`))),
  way('WebSocket in a worker', (at) => script(inWorker(`new WebSocket('ws://${at}/')`))),
  way('importScripts in a worker', (at) => script(inWorker(`importScripts('http://${at}/')`))),
  way('fetch in a worker of a worker', (at) => script(inWorker(inWorker(`fetch('http://${at}/')`)))),
  way('WebSocket in a worker of a worker', (at) => script(inWorker(inWorker(`new WebSocket('ws://${at}/')`)))),
  way('fetch in a shared worker', (at) => script(`new SharedWorker('/worker.js?to=http://${at}/', '${at}')`)),
  way('WebSocket in a shared worker', (at) => script(`new SharedWorker('/worker.js?to=ws://${at}/', '${at}')`)),
  way('fetch in a service worker', (at) =>
    script(`await navigator.serviceWorker.register('/worker.js?to=http://${at}/', { scope: '/of-${at}' })`),
  ),
  way('AudioWorklet', (at) => script(`await new AudioContext().audioWorklet.addModule('http://${at}/')`)),
  way(
    'form in a frame',
    (at) => `<iframe name="form-${at}"></iframe>
    <form method="post" target="form-${at}" action="http://${at}/"></form><script>document.forms[document.forms.length - 1].submit()</script>`,
  ),
  way('CSP report', (at) => `<iframe src="/csp?to=http://${at}/"></iframe>`),
  way('preload', (at) => `<link rel="preload" as="image" href="http://${at}/">`),
  way('modulepreload', (at) => `<link rel="modulepreload" href="http://${at}/">`),
  way('preload of a Link header', (at) => `<iframe src="/link?to=http://${at}/"></iframe>`),
  way('prefetch', (at) => `<link rel="prefetch" href="http://${at}/">`),
  never('preconnect', (at) => `<link rel="preconnect" href="https://${at}/">`),
];

const beside: readonly EgressAttempt[] = [
  never('dns-prefetch', (at) => `<link rel="dns-prefetch" href="http://${at}/">`),
  never('manifest', (at) => `<link rel="manifest" href="http://${at}/">`),
  never('icon', (at) => `<link rel="icon" href="http://${at}/">`),
  way(
    'speculation rules',
    (at) =>
      `<script type="speculationrules">{"prefetch":[{"urls":["http://${at}/"],"eagerness":"immediate"}],"prerender":[{"urls":["http://${at}/"],"eagerness":"immediate"}]}</script>`,
  ),
  never('window.open', (at) => script(`window.open('http://${at}/')`)),
  never(
    'link to a new window',
    (at) =>
      `<a target="_blank" href="http://${at}/"></a><script>document.links[document.links.length - 1].click()</script>`,
  ),
  never(
    'form to a new window',
    (at) => `<form method="post" target="_blank" action="http://${at}/"></form>
    <script>document.forms[document.forms.length - 1].submit()</script>`,
  ),
  way(
    'download',
    (at) =>
      `<iframe name="download-${at}"></iframe><a download target="download-${at}" href="http://${at}/"></a><script>document.links[document.links.length - 1].click()</script>`,
  ),
  never('attachment', (at) => `<link rel="attachment" href="http://${at}/">`),
  way(
    'ping',
    (at) => `<a ping="http://${at}/" href="#x"></a><script>document.links[document.links.length - 1].click()</script>`,
  ),
  never('STUN by UDP', (at) => script(`await gather('stun:${at}')`)),
  never('TURN by UDP', (at) => script(`await gather('turn:${at}?transport=udp')`)),
  way('TURN by TCP', (at) => script(`await gather('turn:${at}?transport=tcp')`)),
  way('TURN by TLS', (at) => script(`await gather('turns:${at}?transport=tcp')`)),
  never('WebRTC peer by UDP', (at) => script(`await callPeer('${at}', 'udp')`)),
  way('WebRTC peer by TCP', (at) => script(`await callPeer('${at}', 'tcp')`)),
  never('WebTransport', (at) => script(`await new WebTransport('https://${at}/').ready`)),
  never('frame of an ftp: address', (at) => `<iframe src="ftp://${at}/"></iframe>`),
  never('frame of a gopher: address', (at) => `<iframe src="gopher://${at}/"></iframe>`),
];

export const egressAttempts: readonly EgressAttempt[] = [...embedded, ...asked, ...beside];
