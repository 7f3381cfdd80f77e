import type { Page } from '@capture/testing/network/page-server';
import type { Victim } from '@capture/testing/network/victim';
import { waitUntil } from '@capture/testing/wait-until';
import type { EgressAttempt } from './egress-attempts.test-support.ts';

/** Time limit of one attempt in the page, milliseconds: the browser sends requests at once or never. */
const attemptWithinMs = 700;

/**
 * Builds a page that makes all attempts at once, and then adds `#tried`.
 *
 * @param at returns the `host:port` that an attempt targets.
 */
export function egressPage(attempts: readonly EgressAttempt[], at: (name: string) => string): string {
  return `<!doctype html><body><script>${prelude}</script>
    ${attempts.map(({ name, html }) => html(at(name))).join('\n')}
    <script>allTried()</script>`;
}

/** Paths on the page's own server that lead to the URL in their query, `?to=`. */
export const redirectingPages: Record<string, Page> = {
  '/redirect': (request, response) => response.writeHead(302, { location: targetOf(request.url) }).end(),
  '/refresh': respond((to) => [{ refresh: `0;${to}` }, 'x']),
  '/link': respond((to) => [{ link: `<${to}>; rel=preload; as=image` }, 'x']),
  '/csp': respond((to) => [{ 'content-security-policy': `img-src 'none'; report-uri ${to}` }, '<img src="/x">']),
  '/worker.js': respond((to) => [
    { 'content-type': 'text/javascript' },
    to.startsWith('ws') ? `new WebSocket('${to}')` : `fetch('${to}', { mode: 'no-cors' })`,
  ]),
};

/**
 * Serves a resource that keeps loading until all these attempts have hit the victim, and reports the hits to `onHits`. If some
 * hits are missing in the end, the assertion of the test fails, not this resource.
 */
export function holdUntilHit(victim: Victim, names: readonly string[], onHits: (hits: string[]) => void): Page {
  return async (_, response) => {
    const allHit = async () => {
      const hits = await victim.hits();
      onHits(hits);
      return names.every((name) => hits.includes(name));
    };
    await waitUntil(allHit, { what: 'every hit' }).catch(() => undefined);
    response.end();
  };
}

function respond(make: (to: string) => [headers: Record<string, string>, body: string]): Page {
  return (request, response) => {
    const [headers, body] = make(targetOf(request.url));
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
  };
}

function targetOf(url = ''): string {
  return new URL(url, 'http://x').searchParams.get('to') ?? '';
}

const prelude = `
  const attempts = [];
  const within = (ms) => new Promise((done) => setTimeout(done, ms));
  const later = (work) => attempts.push(Promise.race([work().catch(() => undefined), within(${attemptWithinMs})]));
  const opened = (socket) => new Promise((done) => { socket.onopen = socket.onerror = socket.onclose = done });
  const gather = async (urls) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'u', credential: 'c' }] });
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
    await new Promise((done) => {
      peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done();
    });
  };
  const callPeer = async (address, protocol) => {
    const { hostname, port } = new URL('http://' + address);
    const peer = new RTCPeerConnection(), other = new RTCPeerConnection();
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
    await other.setRemoteDescription(peer.localDescription);
    await peer.setRemoteDescription(await other.createAnswer());
    const end = protocol === 'tcp' ? ' typ host tcptype passive' : ' typ host';
    const host = hostname.replace(/[\\[\\]]/g, '');
    await peer.addIceCandidate({ sdpMid: '0', candidate: 'candidate:1 1 ' + protocol + ' 2122260223 ' + host + ' ' + port + end });
    await within(${attemptWithinMs});
  };
  const allTried = async () => {
    await Promise.all(attempts);
    document.body.append(Object.assign(document.createElement('p'), { id: 'tried' }));
  };`;
