import { CaptureConnectionError, CaptureConnectionTimeoutError, CaptureError, NotFoundError } from '../errors.ts';
import { pause } from './pause.ts';
import { responseError } from './response-error.ts';
import { pauseBefore, type Repeat, type RetryPolicy } from './retry-policy.ts';

/** What every client is made with. */
export interface ConnectionOptions extends Partial<RetryPolicy> {
  /** Where the service is: `https://captures.example.com`, with a path if it has one. */
  baseUrl: string;
  /** In place of the runtime's own, to go through a proxy or to look at requests. */
  fetch?: typeof globalThis.fetch;
  /** How long an answer may take, milliseconds; to a synchronous capture its own `timeout_ms` is added. 60,000 unless given. */
  timeoutMs?: number;
  /** Called before each pause. */
  onRetry?: (retry: { error: Error; tries: number; waitMs: number }) => void;
}

/** What can be said of one request. */
export interface RequestOptions {
  /** Ends the request, its retries and the reading of its body. */
  signal?: AbortSignal | undefined;
  /** How long an answer may take in place of the client's `timeoutMs`, milliseconds. */
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
}

/** Of a request that makes something. */
export interface MakingOptions extends RequestOptions {
  /**
   * The same key and body within 24 hours make nothing twice. Every request gets one of its own, so that its retries are
   * safe; give yours (an order's number) so that a request sent again by another process is too.
   */
  idempotencyKey?: string | undefined;
}

/** One request as it goes over the wire. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: object | undefined;
  body?: unknown;
  repeat: Repeat;
  /** How much longer than usual its answer may take, milliseconds. */
  extraMs?: number;
}

const defaults = { maxRetries: 4, maxRetryWaitMs: 60_000, timeoutMs: 60_000 };

/** Sends requests with a key, tries them again where that is safe, and makes errors of what is no success. */
export class Transport {
  readonly #base: URL;
  readonly #key: string | null;
  readonly #options: ConnectionOptions;

  /** @param key sent as a bearer token, to the base URL alone. */
  constructor(options: ConnectionOptions, key: string | null) {
    this.#base = checkedBase(options.baseUrl);
    this.#key = key === null ? null : checkedKey(key);
    this.#options = options;
  }

  /** The JSON that it answers; undefined for an answer without a body. */
  async json<Answer>(call: Call, options: MakingOptions = {}): Promise<Answer> {
    return (await this.#send(call, options, async (response) => {
      const text = await response.text();
      return text === '' ? undefined : JSON.parse(text);
    })) as Answer;
  }

  /** An answer whose body the caller reads, as slowly as it likes. */
  stream(call: Call, options: MakingOptions = {}): Promise<Response> {
    return this.#send(call, options, async (response) => response);
  }

  /** Deletes: that it is gone after a first try whose answer was lost is what was wanted. */
  async delete(path: string, options: RequestOptions = {}): Promise<void> {
    let lost = false;
    const noted: ConnectionOptions['onRetry'] = ({ error }) => {
      lost ||= !(error instanceof CaptureError && error.status === 429);
    };
    try {
      await this.#send({ method: 'DELETE', path, repeat: 'safe' }, options, (response) => response.text(), noted);
    } catch (error) {
      if (!(lost && error instanceof NotFoundError)) throw error;
    }
  }

  /** A file at an address that needs no key, which is not sent: the address may be another host's. */
  file(url: string, options: RequestOptions = {}): Promise<Response> {
    return this.#send({ method: 'GET', path: '', repeat: 'safe' }, options, async (answer) => answer, undefined, url);
  }

  async #send<Read>(
    call: Call,
    options: MakingOptions,
    read: (response: Response) => Promise<Read>,
    noted?: ConnectionOptions['onRetry'],
    fileUrl?: string,
  ): Promise<Read> {
    const policy = {
      maxRetries: options.maxRetries ?? this.#options.maxRetries ?? defaults.maxRetries,
      maxRetryWaitMs: this.#options.maxRetryWaitMs ?? defaults.maxRetryWaitMs,
    };
    const request = fileUrl === undefined ? this.#request(call, options) : { url: checkedUrl(fileUrl), init: {} };
    const what = fileUrl === undefined ? `${call.method} ${call.path}` : 'the file';
    const timeoutMs = (options.timeoutMs ?? this.#options.timeoutMs ?? defaults.timeoutMs) + (call.extraMs ?? 0);
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#try(request, { what, timeoutMs, signal: options.signal }, read);
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason;
        const waitMs = pauseBefore(error, call.repeat, tries, policy);
        if (waitMs === null || !(error instanceof Error)) throw error;
        noted?.({ error, tries, waitMs });
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
    // A redirect would take the key to whoever it names.
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (body !== undefined) init.body = JSON.stringify(body);
    return { url, init };
  }

  async #try<Read>(
    { url, init }: { url: URL; init: RequestInit },
    { what, timeoutMs, signal }: { what: string; timeoutMs: number; signal: AbortSignal | undefined },
    read: (response: Response) => Promise<Read>,
  ): Promise<Read> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    try {
      const response = await (this.#options.fetch ?? globalThis.fetch)(url, { ...init, signal: either });
      if (response.ok) return await read(response);
      throw await responseError(response, what);
    } catch (error) {
      if (error instanceof CaptureError || error instanceof CaptureConnectionError || signal?.aborted) throw error;
      if (late.signal.aborted) {
        throw new CaptureConnectionTimeoutError(`No answer to ${what} within ${timeoutMs} ms.`, { cause: error });
      }
      throw new CaptureConnectionError(`No answer to ${what}: ${reasonOf(error)}.`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What went wrong below fetch, which itself says no more than that it failed. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown; message?: unknown }; message?: unknown };
  return String(cause?.code ?? cause?.message ?? message ?? error);
}

function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new TypeError('An address must be http or https.');
  return url;
}

function checkedBase(text: string): URL {
  const url = checkedUrl(text);
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl has no user name, password, query or fragment.');
  }
  return url;
}

/** A line feed that came with the key would make fetch name the key in its message. */
function checkedKey(key: unknown): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('The key must be a text without spaces or line feeds.');
}
