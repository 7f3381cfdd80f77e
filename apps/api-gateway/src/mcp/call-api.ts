import { setTimeout as sleep } from 'node:timers/promises';
import type { CaptureRecord } from '@capture/contract/api/responses';
import type { ErrorCode, ErrorDetail } from '@capture/contract/errors';
import type { Acceptance } from '../captures/result-view.ts';

/** An agent waits briefly: whether to wait longer is the agent's decision. */
const longestWaitS = 5;

/**
 * Uses a new connection for each request, which costs a third of a millisecond. This process is both ends of the connection, so
 * while it is busy neither end closes an idle connection in time: the next request would arrive while the other end closes, and
 * fail.
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

export interface TextPart {
  text: string;
  /** Characters of the whole text. */
  total: number;
}

/** The API with the key of one account. */
export interface Api {
  /** Sends a request and reads its JSON. @throws {ApiFailure} for an error response. */
  json<Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body>;
  /** Submits a capture and does not wait for its end. The request continues without the client, so that the id is known. */
  submit(path: string, options: object): Promise<Acceptance>;
  /** Cancels a capture unless it has ended. The request continues without the client. */
  cancel(captureId: string): Promise<void>;
  /**
   * Downloads a file by its signed link and calls `use` in the same slot of the account, because both take memory.
   *
   * @throws {ApiFailure} if the file was deleted.
   */
  withFile<Result>(fileUrl: string, use: (bytes: Buffer, type: string) => Promise<Result> | Result): Promise<Result>;
  /**
   * Reads a part of a text file and counts the characters of the whole file. Keeps only the part.
   *
   * @throws {ApiFailure} if the file was deleted.
   */
  textPart(fileUrl: string, part: { offset: number; length: number }): Promise<TextPart>;
}

/**
 * Calls the API of this gateway by HTTP like any other client, so that the same checks, limits and quota apply to agents.
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
    // The link has the public URL, which this process may not reach.
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
      // Deleting a capture that has ended would remove its file.
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

/** Repeats a request once if the rate limit allows a repetition soon. @param waiting ends the wait before the repetition. */
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
