import type { StoredCapture } from '@capture/database/captures/find-capture';
import type { Response } from 'express';

/** The main figures of a capture's receipt, for who gets its bytes and not its record. What does not apply is left out. */
export function setReceiptHeaders(
  res: Pick<Response, 'setHeader'>,
  { durationMs, receipt }: Pick<StoredCapture, 'durationMs' | 'receipt'>,
): void {
  const figures = {
    'X-Capture-Duration-Ms': durationMs,
    'X-Capture-Final-Url': receipt?.final_url,
    'X-Capture-Http-Status': receipt?.http_status,
    'X-Capture-Wait': receipt?.wait,
    'X-Capture-Failed-Requests': receipt?.requests.failed,
    'X-Capture-Blocked-Requests': receipt?.requests.blocked,
  };
  for (const [name, value] of Object.entries(figures)) {
    if (value !== null && value !== undefined) res.setHeader(name, asHeader(String(value)));
  }
}

/** What a page's address is made of fits into a header as it is; anything else would break the answer. */
function asHeader(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\x7e ]/gu, encodeURIComponent);
}
