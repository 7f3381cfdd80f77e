import { z } from 'zod';
import type { CaptureErrorCode } from '../errors.ts';
import type { CaptureType } from '../events/events.ts';
import { pageRequest } from './paging.ts';
import type { Receipt } from './receipt.ts';

export const captureStatuses = ['queued', 'processing', 'completed', 'failed', 'cancelled'] as const;

export type CaptureStatus = (typeof captureStatuses)[number];

/** Which captures a list shows. */
export const captureFilter = pageRequest.extend({
  status: z.enum(captureStatuses).optional(),
  type: z.enum(['screenshot', 'pdf', 'og_image'] satisfies CaptureType[]).optional(),
  batch_id: z.string().max(200).optional(),
});

/** A capture as clients see it, with `response_type=json` and in look-ups. What does not apply is null. */
export interface CaptureRecord {
  request_id: string;
  status: CaptureStatus;
  url: string;
  type: CaptureType;
  format: string | null;
  /** Pixels. */
  width: number | null;
  height: number | null;
  /** Bytes. */
  file_size: number | null;
  /** Milliseconds from when a worker took it to its end. */
  duration_ms: number | null;
  /** A signed link that needs no key and stops at `expires_at`. */
  file_url: string | null;
  expires_at: string | null;
  error_code: CaptureErrorCode | null;
  error_message: string | null;
  batch_id: string | null;
  options: Record<string, unknown>;
  metadata: Record<string, string> | null;
  cached: boolean;
  /** Times are ISO 8601 UTC. */
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  receipt: Receipt | null;
}
