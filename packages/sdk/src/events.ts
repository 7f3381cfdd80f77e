/**
 * The events that webhooks carry, as a receiver gets them. A deployment serves one of two published forms, A and B; a
 * field that only one of them sends is optional here and says so. Times are ISO 8601 UTC.
 */
export type WebhookEvent = CaptureCompleted | CaptureFailed | BatchCompleted | BatchProgress;

export type WebhookEventName = WebhookEvent['event'];

export type CaptureType = 'screenshot' | 'pdf' | 'og_image';

/** Why a capture failed. `URL_UNREACHABLE` is form A's word, `NAVIGATION_FAILED` form B's. */
export type CaptureErrorCode =
  | 'URL_UNREACHABLE'
  | 'NAVIGATION_FAILED'
  | 'URL_BLOCKED'
  | 'HTTP_STATUS'
  | 'SELECTOR_NOT_FOUND'
  | 'PAGE_TOO_LARGE'
  | 'CAPTURE_TIMEOUT'
  | 'RENDERING_FAILED';

/** A capture was produced. */
export interface CaptureCompleted {
  event: 'capture.completed';
  timestamp: string;
  request_id: string;
  data: {
    url: string;
    type: CaptureType;
    format: string;
    /** CSS pixels of a PDF's first page, else pixels of the picture. */
    width: number;
    height: number;
    /** Bytes. */
    file_size: number;
    /** Milliseconds that the capture took. Form A. */
    duration_ms?: number;
    /** A link that needs no key, until `expires_at`. Form B. */
    file_url?: string;
    /** Form B. */
    expires_at?: string;
  };
}

/** A capture came to nothing. */
export interface CaptureFailed {
  event: 'capture.failed';
  timestamp: string;
  request_id: string;
  data: {
    url: string;
    type: CaptureType;
    error_code: CaptureErrorCode;
    error_message: string;
  };
}

/** Every item of a batch was processed. `results` has one entry an item, in the order of the items. */
export interface BatchCompleted {
  event: 'batch.completed';
  timestamp: string;
  batch_id: string;
  data: {
    total: number;
    succeeded: number;
    failed: number;
    results: BatchResult[];
  };
}

export interface BatchResult {
  request_id: string;
  url: string;
  status: 'completed' | 'failed';
  /** Of a failed item. */
  error_code?: CaptureErrorCode;
  /** Of a completed item. Form B. */
  file_url?: string;
}

/** Ten more items of a batch were processed. These may arrive out of order. Form B. */
export interface BatchProgress {
  event: 'batch.progress';
  timestamp: string;
  batch_id: string;
  data: {
    total: number;
    /** `succeeded` + `failed`. */
    processed: number;
    succeeded: number;
    failed: number;
    /** 0–100, rounded down. */
    percent: number;
  };
}

/** All names, in a record so that none can be missing. */
const names: Record<WebhookEventName, true> = {
  'capture.completed': true,
  'capture.failed': true,
  'batch.completed': true,
  'batch.progress': true,
};

/** Whether a text is the name of an event that this version of the SDK knows. */
export function isWebhookEventName(name: unknown): name is WebhookEventName {
  return typeof name === 'string' && Object.hasOwn(names, name);
}
