import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Batch } from '../../api/responses.ts';

interface Progress {
  processed: number;
  total: number;
  succeeded: number;
  failed: number;
}

export const batchKey = (id: string) => ['batch', id] as const;
export const resultsKey = (id: string) => ['results', id] as const;

/** Results are read again at most so often while a batch moves, milliseconds. */
const resultsEveryMs = 2_000;

/**
 * Follows a batch that is under way by its server-sent events. Each event tells the whole state, so that a stream that
 * broke and was opened again by the browser has missed nothing.
 */
export function useBatchProgress(id: string, isUnderWay: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isUnderWay) return;
    let readAt = 0;
    const events = new EventSource(`/api/v1/batches/${encodeURIComponent(id)}/events`);
    events.addEventListener('progress', ({ data }: MessageEvent<string>) => {
      const { succeeded, failed, processed, total }: Progress = JSON.parse(data);
      client.setQueryData<Batch>(
        batchKey(id),
        (batch) => batch && { ...batch, succeeded, failed, pending: total - processed },
      );
      if (Date.now() - readAt < resultsEveryMs) return;
      readAt = Date.now();
      void client.invalidateQueries({ queryKey: resultsKey(id) });
    });
    for (const end of ['completed', 'cancelled']) {
      events.addEventListener(end, ({ data }: MessageEvent<string>) => {
        events.close();
        client.setQueryData<Batch>(batchKey(id), JSON.parse(data));
        void client.invalidateQueries({ queryKey: resultsKey(id) });
      });
    }
    return () => events.close();
  }, [id, isUnderWay, client]);
}
