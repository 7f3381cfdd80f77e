import { setTimeout as sleep } from 'node:timers/promises';

/** The optional parts of a request. */
interface Sent {
  body?: object;
  headers?: Record<string, string>;
}

export interface Response<Body> {
  body: Body;
  headers: Headers;
}

/** Sends requests to a gateway as clients do, one after the other. */
export type Ask = <Body = unknown>(method: string, path: string, sent?: Sent) => Promise<Response<Body>>;

export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Ignores a timeout, because the statement log has the statement, and the session continues without the response. */
export async function unlessTooSlow<Result>(reading: Promise<Result>): Promise<Result | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof RequestError && error.status >= 500) return null;
    throw error;
  });
}

/** How long to wait before repeating a request that an account's limit refused, milliseconds. */
const againAfterMs = 200;

/**
 * @param key an account's or the operator's; the empty text for none. @returns a function that throws for any response but 2xx.
 */
export function requestsTo(url: string, key: string): Ask {
  return async <Body>(method: string, path: string, { body, headers = {} }: Sent = {}) => {
    for (;;) {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(key !== '' && { authorization: `Bearer ${key}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status === 429) {
        await sleep(againAfterMs);
        continue;
      }
      if (!response.ok) throw new RequestError(response.status, `${method} ${path}: ${response.status} ${text}`);
      const isJson = response.headers.get('content-type')?.includes('json');
      return { body: (isJson ? JSON.parse(text) : text) as Body, headers: response.headers };
    }
  };
}

/** A connection plans a named statement for each of its first five runs. From the sixth on it may use a generic plan. */
export const beyondCustomPlans = 7;

export async function often(what: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < beyondCustomPlans; turn += 1) await what();
}
