import type { EventName } from '@capture/contract/forms/forms';

/** A registered endpoint as its owner sees it; its secret is shown nowhere again. */
export interface StoredEndpoint {
  id: string;
  url: string;
  events: EventName[];
  status: 'active' | 'paused' | 'disabled';
  /** Why we disabled it, in one sentence. */
  disabledReason: string | null;
  createdAt: Date;
}

export const endpointColumns = `id, url, events, status, disabled_reason AS "disabledReason", created_at AS "createdAt"`;
