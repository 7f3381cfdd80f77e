import { setTimeout as sleep } from 'node:timers/promises';
import type { CaptureRecord } from '@capture/contract/api/responses';
import type { ErrorCode, ErrorDetail } from '@capture/contract/errors';
import type { Acceptance } from '../captures/result-view.ts';

/** An agent's turn is short: a longer wait is its own decision. */
const longestWaitS = 5;

/**
 * A connection for each request, at a third of a millisecond. This process is both ends of it, so while it is busy neither end
 * closes one that is idle for too long: the next request would reach the other end as it closes, and fail.
 */
const ownConnection = { Connection: 'close' };

/** An error response of the API. */
export class ApiFailure extends Error {
  override name = 'ApiFailure';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterS: number | null;

  constructor(body: ErrorBody, retryAfterS: number | null) {
    super(body.error_message);
    this.code = body.error_code;
    this.details = body.details ?? [];
    this.retryAfterS = retryAfterS;
  }
}

interface ErrorBody {
  error_code: ErrorCode;
  error_message: string;
  details?: ErrorDetail[];
}

/** A part of a text. */
export interface TextPart {
  text: string;
  /** Characters of the whole text. */
  total: number;
}

/** The API with the key of one account. */
export interface Api {
  /** Sends a request and reads its JSON. @throws {ApiFailure} for an error response. */
  json<Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body>;
  /** Submits a capture and does not wait for it. Once sent it goes on without the client, so that its id gets known. */
  submit(path: string, options: object): Promise<Acceptance>;
  /** Cancels a capture that has not ended; does nothing to one that has. It goes on without the client. */
  cancel(captureId: string): Promise<void>;
  /**
   * Downloads a file by its signed link, and makes something of it in the same slot of the account: both take memory.
   *
   * @throws {ApiFailure} if it was deleted.
   */
  withFile<Result>(fileUrl: string, use: (bytes: Buffer, type: string) => Promise<Result> | Result): Promise<Result>;
  /**
   * Reads a part of a text file, and how long all of it is, in characters. Nothing else of it is kept.
   *
   * @throws {ApiFailure} if it was deleted.
   */
  textPart(fileUrl: string, part: { offset: number; length: number }): Promise<TextPart>;
}

/**
 * The API of this gateway, by HTTP like any other client: what an agent does passes through the same checks, limits and quota.
 *
 * @param origin where this process listens.
 * @param inSlot runs work that loads a file in one of the account's slots.
 */
export function apiOf(
  origin: string,
  key: string,
  signal: AbortSignal,
  inSlot: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Api {
  const headers = { ...ownConnection, Authorization: `Bearer ${key}` };
  const withBody = (body: object): RequestInit => ({
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const download = (fileUrl: string) => {
    // The link has the public address, which this process may not reach.
    const { pathname, search } = new URL(fileUrl);
    const url = origin + pathname.slice(pathname.lastIndexOf('/files/')) + search;
    return send(url, { headers: ownConnection, signal }, signal);
  };
  return {
    async json(method, path, body) {
      const init = body ? withBody(body) : { method, headers };
      return (await send(origin + path, { ...init, signal }, signal)).json() as Promise<never>;
    },
    async submit(path, options) {
      return (await send(origin + path, withBody({ ...options, async: true }), signal)).json() as Promise<Acceptance>;
    },
    async cancel(captureId) {
      const url = `${origin}/api/v1/captures/${encodeURIComponent(captureId)}`;
      const { status } = (await (await send(url, { headers })).json()) as CaptureRecord;
      // Deleting one that has ended would remove its file.
      if (status === 'queued' || status === 'processing') await send(url, { method: 'DELETE', headers });
    },
    withFile: (fileUrl, use) =>
      inSlot(async () => {
        const response = await download(fileUrl);
        const type = response.headers.get('content-type') ?? 'application/octet-stream';
        return use(Buffer.from(await response.arrayBuffer()), type);
      }),
    textPart: (fileUrl, { offset, length }) =>
      inSlot(async () => {
        const { body } = await download(fileUrl);
        const read: TextPart = { text: '', total: 0 };
        for await (const piece of body?.pipeThrough(new TextDecoderStream('utf-8', { ignoreBOM: true })) ?? []) {
          const start = Math.max(0, offset - read.total);
          read.text += piece.slice(start, start + length - read.text.length);
          read.total += piece.length;
        }
        return read;
      }),
  };
}

/** Repeats a request once if the rate limit allows it soon. @param waiting ends the time before the repetition. */
async function send(url: string, init: RequestInit, waiting?: AbortSignal): Promise<Response> {
  const first = await fetch(url, init);
  if (first.ok) return first;
  const failure = await failureOf(first);
  const waitS = failure.retryAfterS;
  if (failure.code !== 'RATE_LIMITED' || waitS === null || waitS > longestWaitS) throw failure;
  await sleep(waitS * 1_000, undefined, waiting && { signal: waiting });
  const second = await fetch(url, init);
  if (second.ok) return second;
  throw await failureOf(second);
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const retryAfter = response.headers.get('retry-after');
  return new ApiFailure((await response.json()) as ErrorBody, retryAfter === null ? null : Number(retryAfter));
}
