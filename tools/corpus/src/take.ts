import { type Case, viewport } from './case.ts';
import type { Result } from './check/check-result.ts';

/** A running platform, and a key that may capture without limits. */
export interface Service {
  url: string;
  key: string;
}

export interface Taken extends Result {
  /** The time from the request to the last byte, milliseconds. */
  ms: number;
  requestId: string | null;
}

const paths = { screenshot: 'screenshot', pdf: 'pdf', og_image: 'og-image' } as const;

/** Longer than any `timeout_ms`, milliseconds. */
const timeoutMs = 180_000;

export function requestOf({ kind = 'screenshot', options = {} }: Case, url: string): Record<string, unknown> {
  if (kind === 'og_image') return { url, template: 'page', ...options };
  const hasViewport = kind !== 'screenshot' || options?.device !== undefined;
  return hasViewport ? { url, ...options } : { url, ...viewport, ...options };
}

/** Captures a case through the HTTP API, and reads the report of the capture. */
export async function take({ url, key }: Service, each: Case, pageUrl: string): Promise<Taken> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const startedAt = performance.now();
  const response = await fetch(`${url}/api/v1/${paths[each.kind ?? 'screenshot']}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(requestOf(each, pageUrl)),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const ms = performance.now() - startedAt;
  const requestId = response.headers.get('x-request-id');
  if (!response.ok) {
    const { error_code: error = `HTTP ${response.status}` } = parse(bytes);
    return { bytes: null, error: String(error), quality: null, wait: null, banner: null, ms, requestId };
  }
  const quality = response.headers.get('x-capture-quality');
  return {
    bytes,
    error: null,
    quality: quality === null ? null : quality.split(/, */).filter((reason) => reason !== 'ok'),
    wait: response.headers.get('x-capture-wait'),
    banner: each.options?.block_cookie_banners
      ? await bannerResult(`${url}/api/v1/captures/${requestId}`, headers)
      : null,
    ms,
    requestId,
  };
}

function parse(bytes: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return {};
  }
}

async function bannerResult(url: string, headers: Record<string, string>): Promise<string | null> {
  const response = await fetch(url, { headers });
  const record = (await response.json()) as { receipt?: { cookie_banner?: { result?: string } | null } | null };
  return record.receipt?.cookie_banner?.result ?? null;
}
