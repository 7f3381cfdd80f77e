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

/** The shortest interval between two reads of the results, milliseconds. */
const resultsEveryMs = 2_000;

/** Follows a batch by server-sent events. Each event has the full state, so a reconnected stream misses nothing. */
export function useBatchProgress(id: string, isInProgress: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isInProgress) return;
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
  }, [id, isInProgress, client]);
}
