import { CaptureConnectionError, CaptureConnectionTimeoutError, CaptureError, NotFoundError } from '../errors.ts';
import { pause } from './pause.ts';
import { responseError } from './response-error.ts';
import { pauseBefore, type Repeat, type RetryPolicy } from './retry-policy.ts';

/** Options of every client. */
export interface ConnectionOptions extends Partial<RetryPolicy> {
  /** The URL of the service, such as `https://captures.example.com`, with an optional path. */
  baseUrl: string;
  /** Replaces the global `fetch`, for example for a proxy. */
  fetch?: typeof globalThis.fetch;
  /** Timeout of a response, milliseconds. Synchronous captures add their `timeout_ms`. Default: 60,000. */
  timeoutMs?: number;
  /** Called before each retry. */
  onRetry?: (retry: { error: Error; tries: number; waitMs: number }) => void;
}

/** Options of one request. */
export interface RequestOptions {
  /** Aborts the request, its retries and the reading of its body. */
  signal?: AbortSignal | undefined;
  /** Replaces the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
}

/** Options of a request that creates something. */
export interface MakingOptions extends RequestOptions {
  /**
   * The same key and body within 24 hours create nothing twice. By default, each request gets its own key, which makes its
   * retries safe. Pass your own key (such as an order number) to make repetitions by other processes safe, too.
   */
  idempotencyKey?: string | undefined;
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: object | undefined;
  body?: unknown;
  repeat: Repeat;
  /** The time that is added to the timeout, milliseconds. */
  extraMs?: number;
}

const defaults = { maxRetries: 4, maxRetryWaitMs: 60_000, timeoutMs: 60_000 };

/** Sends requests with a key, retries them where that is safe, and throws errors for error responses. */
export class Transport {
  readonly #base: URL;
  readonly #key: string | null;
  readonly #options: ConnectionOptions;

  /** @param key sent as a bearer token, to the base URL only. */
  constructor(options: ConnectionOptions, key: string | null) {
    this.#base = checkedBase(options.baseUrl);
    this.#key = key === null ? null : checkedKey(key);
    this.#options = options;
  }

  /** Returns the JSON body of the response; undefined without a body. */
  async json<Body>(call: Call, options: MakingOptions = {}): Promise<Body> {
    return (await this.#send(call, options, async (response) => {
      const text = await response.text();
      return text === '' ? undefined : JSON.parse(text);
    })) as Body;
  }

  /** Returns the response with an unread body. */
  stream(call: Call, options: MakingOptions = {}): Promise<Response> {
    return this.#send(call, options, async (response) => response);
  }

  /** Deletes a resource. A 404 after an attempt with a lost response counts as success. */
  async delete(path: string, options: RequestOptions = {}): Promise<void> {
    let lost = false;
    const onRetry: ConnectionOptions['onRetry'] = ({ error }) => {
      lost ||= !(error instanceof CaptureError && error.status === 429);
    };
    try {
      await this.#send({ method: 'DELETE', path, repeat: 'safe' }, options, (response) => response.text(), onRetry);
    } catch (error) {
      if (!(lost && error instanceof NotFoundError)) throw error;
    }
  }

  /** Downloads a file by its signed URL. The key is not sent, because the URL may be of another host. */
  file(url: string, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '', repeat: 'safe' },
      options,
      async (response) => response,
      undefined,
      url,
    );
  }

  async #send<Read>(
    call: Call,
    options: MakingOptions,
    read: (response: Response) => Promise<Read>,
    onRetry?: ConnectionOptions['onRetry'],
    fileUrl?: string,
  ): Promise<Read> {
    const policy = {
      maxRetries: options.maxRetries ?? this.#options.maxRetries ?? defaults.maxRetries,
      maxRetryWaitMs: this.#options.maxRetryWaitMs ?? defaults.maxRetryWaitMs,
    };
    const request =
      fileUrl === undefined ? this.#request(call, options) : { url: checkedUrl('fileUrl', fileUrl), init: {} };
    const what = fileUrl === undefined ? `${call.method} ${call.path}` : 'the file';
    const timeoutMs = (options.timeoutMs ?? this.#options.timeoutMs ?? defaults.timeoutMs) + (call.extraMs ?? 0);
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#try(request, { what, timeoutMs, signal: options.signal }, read);
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason;
        const waitMs = pauseBefore(error, call.repeat, tries, policy);
        if (waitMs === null || !(error instanceof Error)) throw error;
        onRetry?.({ error, tries, waitMs });
        this.#options.onRetry?.({ error, tries, waitMs });
        await pause(waitMs, options.signal);
      }
    }
  }

  #request({ method, path, query, body, repeat }: Call, { idempotencyKey }: MakingOptions) {
    const url = new URL(this.#base.pathname.replace(/\/$/, '') + path, this.#base);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value));
    }
    const headers: Record<string, string> = {};
    if (this.#key !== null) headers.Authorization = `Bearer ${this.#key}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (repeat === 'keyed') headers['Idempotency-Key'] = idempotencyKey ?? crypto.randomUUID();
    // A redirect could leak the key to another host.
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (body !== undefined) init.body = JSON.stringify(body);
    return { url, init };
  }

  async #try<Read>(
    { url, init }: { url: URL; init: RequestInit },
    { what, timeoutMs, signal }: { what: string; timeoutMs: number; signal: AbortSignal | undefined },
    read: (response: Response) => Promise<Read>,
  ): Promise<Read> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const combined = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal;
    try {
      const response = await (this.#options.fetch ?? globalThis.fetch)(url, { ...init, signal: combined });
      if (response.ok) return await read(response);
      throw await responseError(response, what);
    } catch (error) {
      if (error instanceof CaptureError || error instanceof CaptureConnectionError || signal?.aborted) throw error;
      if (timeout.signal.aborted) {
        throw new CaptureConnectionTimeoutError(`No response to ${what} within ${timeoutMs} ms.`, { cause: error });
      }
      const message = `No response to ${what} from ${new URL(url).origin}: ${findReason(error)}.`;
      throw new CaptureConnectionError(message, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name is unknown',
  ETIMEDOUT: 'the connection timed out',
};

/** Returns the cause of a failed fetch, whose error only says that it failed. */
function findReason(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown; message?: unknown }; message?: unknown };
  const code = cause?.code === undefined ? undefined : String(cause.code);
  return (code && (reasons[code] ?? code)) ?? String(cause?.message ?? message ?? error);
}

function checkedUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new TypeError(`${name} must be a URL that begins with http:// or https://.`);
  }
  return url;
}

function checkedBase(text: string): URL {
  const url = checkedUrl('baseUrl', text);
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must not have a user name, password, query or fragment.');
  }
  return url;
}

/** Refuses a key with a line feed, because the error message of fetch would contain the key. */
function checkedKey(key: unknown): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('The key must be a string without spaces or line feeds.');
}
