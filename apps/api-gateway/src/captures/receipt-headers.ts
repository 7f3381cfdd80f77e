import type { StoredCapture } from '@capture/database/captures/find-capture';
import type { Response } from 'express';

/** Sets the main figures of a capture's receipt as headers, for binary responses. Missing figures are left out. */
export function setReceiptHeaders(
  res: Pick<Response, 'setHeader'>,
  { durationMs, receipt, quality }: Pick<StoredCapture, 'durationMs' | 'receipt' | 'quality'>,
): void {
  const figures = {
    'X-Capture-Duration-Ms': durationMs,
    'X-Capture-Final-Url': receipt?.final_url,
    'X-Capture-Http-Status': receipt?.http_status,
    'X-Capture-Wait': receipt?.wait,
    'X-Capture-Quality': quality && (quality.ok ? 'ok' : quality.reasons.join(',')),
    'X-Capture-Failed-Requests': receipt?.requests.failed,
    'X-Capture-Blocked-Requests': receipt?.requests.blocked,
  };
  for (const [name, value] of Object.entries(figures)) {
    if (value !== null && value !== undefined) res.setHeader(name, asHeader(String(value)));
  }
}

/** Encodes characters that are not allowed in a header; a valid URL stays unchanged. */
export function asHeader(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\x7e ]/gu, encodeURIComponent);
}
