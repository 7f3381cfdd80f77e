import type { PageRequest } from '@capture/contract/options/fill-page';
import type { HTTPRequest, HTTPResponse } from 'puppeteer';
import { maxUrlLength, maxWatchedRequests } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';

/** Characters that are recorded of a header's value, and of all headers. */
const longestValue = 2_000;
const mostCharacters = 20_000_000;

/** Headers whose values open sessions. */
const secretHeaders: readonly string[] = ['authorization', 'cookie', 'proxy-authorization', 'set-cookie'];

interface Entry {
  request: HTTPRequest;
  /** Milliseconds since 1970. */
  startedAt: number;
  respondedAt?: number;
  endedAt?: number;
  response?: HTTPResponse;
  failure?: string;
}

/**
 * Records the requests of a page for its HAR file, from before the load. Records neither bodies, nor the values of the client's
 * own `headers`, of cookies and credentials.
 */
export class NetworkLog {
  readonly #entries = new Map<HTTPRequest, Entry>();
  readonly #secret: ReadonlySet<string>;

  constructor({ page }: CapturePage, { headers = {} }: Pick<PageRequest, 'headers'>) {
    this.#secret = new Set([...secretHeaders, ...Object.keys(headers).map((name) => name.toLowerCase())]);
    page.on('request', (request) => {
      if (this.#entries.size < maxWatchedRequests) this.#entries.set(request, { request, startedAt: Date.now() });
    });
    page.on('response', (response) => {
      const entry = this.#entries.get(response.request());
      if (entry) Object.assign(entry, { response, respondedAt: Date.now() });
    });
    page.on('requestfinished', (request) => this.#end(request, {}));
    page.on('requestfailed', (request) => this.#end(request, { failure: request.failure()?.errorText ?? 'failed' }));
  }

  #end(request: HTTPRequest, end: Pick<Entry, 'failure'>): void {
    const entry = this.#entries.get(request);
    if (entry) Object.assign(entry, { ...end, endedAt: Date.now() });
  }

  /** HAR 1.2, as JSON. */
  write(page: { url: string; title: string }, creator: { version: string }): string {
    const entries: string[] = [];
    let left = mostCharacters;
    for (const entry of this.#entries.values()) {
      const written = JSON.stringify(this.#entryOf(entry), null, 2);
      left -= written.length;
      if (left < 0) break;
      entries.push(written);
    }
    const [first] = this.#entries.values();
    const startedDateTime = new Date(first?.startedAt ?? Date.now()).toISOString();
    const pages = [{ startedDateTime, id: 'page', title: page.title || page.url, pageTimings: {} }];
    const log = JSON.stringify({ version: '1.2', creator: { name: 'Capture Platform', ...creator }, pages });
    return `{"log":${log.slice(0, -1)},"entries":[\n${entries.join(',\n')}\n]}}\n`;
  }

  #entryOf({ request, response, startedAt, respondedAt, endedAt, failure }: Entry): object {
    const url = plainUrl(request.url());
    const wait = respondedAt === undefined ? 0 : respondedAt - startedAt;
    const receive = endedAt === undefined || respondedAt === undefined ? 0 : Math.max(0, endedAt - respondedAt);
    const version = 'HTTP/1.1';
    const unknown = { headersSize: -1, bodySize: -1 };
    const headersOf = (of: HTTPRequest | HTTPResponse) =>
      Object.entries(of.headers()).map(([name, value]) => ({ name, value: this.#shown(name, value) }));
    return {
      pageref: 'page',
      startedDateTime: new Date(startedAt).toISOString(),
      time: wait + receive,
      _resourceType: request.resourceType(),
      request: {
        ...{ method: request.method(), url, httpVersion: version, cookies: [], headers: headersOf(request) },
        ...{ queryString: queryOf(url), ...unknown },
      },
      response: {
        ...{
          status: response?.status() ?? 0,
          statusText: response?.statusText() ?? '',
          httpVersion: version,
          cookies: [],
        },
        headers: response ? headersOf(response) : [],
        content: {
          size: Number(response?.headers()['content-length'] ?? -1),
          mimeType: response?.headers()['content-type'] ?? '',
        },
        ...{ redirectURL: plainUrl(response?.headers().location ?? ''), ...unknown },
        ...(failure !== undefined && { _error: failure }),
      },
      cache: {},
      timings: { send: 0, wait, receive },
      ...(response?.fromCache() && { _fromCache: true }),
    };
  }

  #shown(name: string, value: string): string {
    return this.#secret.has(name.toLowerCase()) ? '***' : value.slice(0, longestValue);
  }
}

/** Removes the user name, the password, and the content of a `data:` URL. */
function plainUrl(text: string): string {
  if (text.startsWith('data:')) return text.slice(0, Math.max(0, text.indexOf(',') + 1));
  return text.slice(0, maxUrlLength).replace(/^([a-z]+:\/\/)[^/?#@]*@/i, '$1');
}

function queryOf(url: string): { name: string; value: string }[] {
  if (!URL.canParse(url)) return [];
  return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
}
