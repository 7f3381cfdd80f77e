import { validateHeaderName, validateHeaderValue } from 'node:http';

/** RFC 9110 §7.6.1, and what old clients say to proxies; `host` and `expect` are the proxy's own to answer. */
const hopByHop = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers that a proxy passes on, as the flat name, value list that Node takes, in order and spelling. What
 * `Connection` names is left out, and so is what Node would refuse to send (a lenient parser lets it in).
 */
export function endToEndHeaders(rawHeaders: readonly string[]): string[] {
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, index): [string, string] => [
    rawHeaders[2 * index] ?? '',
    rawHeaders[2 * index + 1] ?? '',
  ]);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim())
    // `Connection: close, Content-Length` must not strip a message of its framing.
    .filter((name) => name !== 'content-length');
  return pairs
    .filter(([name]) => !hopByHop.has(name.toLowerCase()) && !named.includes(name.toLowerCase()))
    .filter(([name, value]) => isSendable(name, value))
    .flat();
}

function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
