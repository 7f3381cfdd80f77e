import type { Page } from '@capture/testing/page-server';
import type { Victim } from '@capture/testing/victim';
import { waitUntil } from '@capture/testing/wait-until';
import type { EgressAttempt } from './egress-attempts.test-support.ts';

/** How long one try may take, in the page, milliseconds: what goes out at all goes out at once. */
const tryWithinMs = 700;

/**
 * A page that tries all of these ways at once, and shows `#tried` when it has.
 *
 * @param at `host:port` of what a way is to reach.
 */
export function egressPage(ways: readonly EgressAttempt[], at: (way: string) => string): string {
  return `<!doctype html><body><script>${prelude}</script>
    ${ways.map((way) => way.html(at(way.name))).join('\n')}
    <script>allTried()</script>`;
}

/** What such pages ask their own server for: each leads to the address in its query, `?to=`. */
export const redirectingPages: Record<string, Page> = {
  '/redirect': (request, response) => response.writeHead(302, { location: leadsTo(request.url) }).end(),
  '/refresh': answer((to) => [{ refresh: `0;${to}` }, 'x']),
  '/link': answer((to) => [{ link: `<${to}>; rel=preload; as=image` }, 'x']),
  '/csp': answer((to) => [{ 'content-security-policy': `img-src 'none'; report-uri ${to}` }, '<img src="/x">']),
  '/worker.js': answer((to) => [
    { 'content-type': 'text/javascript' },
    to.startsWith('ws') ? `new WebSocket('${to}')` : `fetch('${to}', { mode: 'no-cors' })`,
  ]),
};

/**
 * What a page embeds that is to go on loading until the victim was hit in all of these ways; the hits at last are given
 * to `tell`. Of a page that misses some the test fails, and not this.
 */
export function holdUntilHit(victim: Victim, ways: readonly string[], tell: (hits: string[]) => void): Page {
  return async (_, response) => {
    const allHit = async () => {
      const hits = await victim.hits();
      tell(hits);
      return ways.every((way) => hits.includes(way));
    };
    await waitUntil(allHit, { what: 'every hit' }).catch(() => undefined);
    response.end();
  };
}

function answer(make: (to: string) => [headers: Record<string, string>, body: string]): Page {
  return (request, response) => {
    const [headers, body] = make(leadsTo(request.url));
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
  };
}

function leadsTo(url = ''): string {
  return new URL(url, 'http://x').searchParams.get('to') ?? '';
}

const prelude = `
  const tries = [];
  const within = (ms) => new Promise((done) => setTimeout(done, ms));
  const later = (work) => tries.push(Promise.race([work().catch(() => undefined), within(${tryWithinMs})]));
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
    await within(${tryWithinMs});
  };
  const allTried = async () => {
    await Promise.all(tries);
    document.body.append(Object.assign(document.createElement('p'), { id: 'tried' }));
  };`;
