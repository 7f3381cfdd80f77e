/**
 * Webhook events as a receiver gets them. A deployment serves API profile A or B; fields of only one profile are
 * optional here. Times are ISO 8601 UTC.
 */
export type WebhookEvent = CaptureCompleted | CaptureFailed | BatchCompleted | BatchProgress;

export type WebhookEventName = WebhookEvent['event'];

export type CaptureType = 'screenshot' | 'pdf' | 'og_image' | 'content';

/** The reason that a capture failed. API profile A has `URL_UNREACHABLE`, API profile B `NAVIGATION_FAILED`. */
export type CaptureErrorCode =
  | 'URL_UNREACHABLE'
  | 'NAVIGATION_FAILED'
  | 'URL_BLOCKED'
  | 'HTTP_STATUS'
  | 'QUALITY_REJECTED'
  | 'SELECTOR_NOT_FOUND'
  | 'PAGE_TOO_LARGE'
  | 'CAPTURE_TIMEOUT'
  | 'RENDERING_FAILED';

/** A capture completed. */
export interface CaptureCompleted {
  event: 'capture.completed';
  timestamp: string;
  request_id: string;
  data: {
    url: string;
    type: CaptureType;
    format: string;
    /** CSS pixels of the first page for a PDF, else pixels of the image. */
    width: number;
    height: number;
    /** The size in bytes. */
    file_size: number;
    /** Duration of the capture, milliseconds. API profile A. */
    duration_ms?: number;
    /** A signed URL that needs no key, valid until `expires_at`. API profile B. */
    file_url?: string;
    /** API profile B. */
    expires_at?: string;
    /** All files, the capture's own first, if `outputs` asked for more. */
    outputs?: {
      name: string;
      kind: string;
      format: string;
      /** The size in bytes. */
      file_size: number;
      width?: number;
      height?: number;
      /** API profile B. */
      file_url?: string;
    }[];
  };
}

/** A capture failed. */
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

/** Every item of a batch was processed. `results` has one entry per item, in the order of the items. */
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
  /** Failed items only. */
  error_code?: CaptureErrorCode;
  /** Completed items only. API profile B. */
  file_url?: string;
}

/** Ten more items of a batch were processed. These events may arrive out of order. API profile B. */
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

/** A record makes the compiler find missing names. */
const names: Record<WebhookEventName, true> = {
  'capture.completed': true,
  'capture.failed': true,
  'batch.completed': true,
  'batch.progress': true,
};

/** Whether this version of the SDK knows the event. */
export function isWebhookEventName(name: unknown): name is WebhookEventName {
  return typeof name === 'string' && Object.hasOwn(names, name);
}
