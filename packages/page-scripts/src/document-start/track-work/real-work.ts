import { invoke, make, wrap, wrapClass } from '../page-world/wrap.ts';
import { beginWork, noteRequest, stopForGood } from './clock.ts';

// Pages replace these, by libraries that follow asynchronous work.
const { Promise: Eventual, Response: Reply, Number: number } = globalThis;
const { then } = Eventual.prototype;
const readHeader = Headers.prototype.get;

/** The largest body whose reading the clock waits for, bytes. */
const shortBody = 65_536;

const peers = ['Worker', 'SharedWorker', 'WebSocket', 'EventSource', 'RTCPeerConnection', 'BroadcastChannel'];
const reads = ['arrayBuffer', 'blob', 'formData', 'json', 'text'];
const encryptions = ['decrypt', 'deriveBits', 'deriveKey', 'digest', 'encrypt', 'generateKey', 'sign', 'verify'];
const compilations = ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'];

/**
 * Keeps the clock at real time while the page waits for work that takes real time and may decide what the page shows: peers,
 * requests, encryption, compilation, and short bodies, whose end Chromium reports only if a script reads them.
 */
export function noteRealWork(): void {
  for (const name of peers) {
    wrapClass(name, (target, args, self) => {
      stopForGood();
      return make(target, args, self);
    });
  }
  for (const name of reads) wrap(Reply.prototype, name, countWork);
  const { SubtleCrypto: Crypto, WebAssembly: Assembly } = globalThis;
  // Only secure pages have this class.
  if (Crypto) for (const name of encryptions) wrap(Crypto.prototype, name, countWork);
  for (const name of compilations) wrap(Assembly, name, countWork);
  wrap(globalThis, 'fetch', request);
  wrap(XMLHttpRequest.prototype, 'send', request);
}

function countWork(target: unknown, self: unknown, args: unknown[]): unknown {
  const result = invoke(target, self, args);
  const length = self instanceof Reply ? invoke(readHeader, self.headers, ['content-length']) : '0';
  if (!(result instanceof Eventual) || length === null || number(length) > shortBody) return result;
  const end = beginWork();
  invoke(then, result, [end, end]);
  return result;
}

function request(target: unknown, self: unknown, args: unknown[]): unknown {
  noteRequest();
  return invoke(target, self, args);
}
