import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../platform/service.ts';
import type { Bench } from '../section.ts';

const lookEveryMs = 50;

export interface BatchToRun {
  urls: readonly string[];
  options: Record<string, unknown>;
}

/**
 * Submits a batch and waits for its end.
 *
 * @returns milliseconds until its last screenshot was there.
 * @throws when an item of the batch failed.
 */
export async function runBatch(
  bench: Pick<Bench, 'checkpoint'>,
  service: Service,
  { urls, options }: BatchToRun,
): Promise<number> {
  const key = await service.nextKey();
  const startedAt = performance.now();
  const json = { items: urls.map((url) => ({ url })), options };
  const submitted = await service.call('POST', '/api/v1/batches', { key, json });
  if (submitted.status !== 202) throw new Error(`the batch: ${submitted.status} ${JSON.stringify(submitted.body)}`);
  const { batch_id: id } = submitted.body as { batch_id: string };
  for (;;) {
    bench.checkpoint();
    const { body } = await service.call('GET', `/api/v1/batches/${id}?limit=1`, { key });
    const { status, failed } = body as { status: string; failed: number };
    if (status !== 'processing') {
      if (failed > 0) throw new Error(`${failed} items of the batch failed`);
      return performance.now() - startedAt;
    }
    await sleep(lookEveryMs);
  }
}
