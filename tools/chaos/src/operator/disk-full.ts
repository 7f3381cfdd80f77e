import { fillDisk } from '../harness/full-disk.ts';
import { operatorCase } from './operator-case.ts';

export const operatorDiskFull = operatorCase({
  name: 'disk-full',
  fault: 'The disk of the files is full.',
  alert: 'CaptureStorageFailing',
  metric: 'capture_storage_failures_total',
  leads: ['could not be stored', 'operation'],
  async stage(operator) {
    const { pages, files } = operator.platform;
    pages.serve({ '/page': '<!doctype html><p>an ordinary page' });
    const worker = await operator.startWorker({ concurrency: 1 });
    const disk = fillDisk(worker, files);
    try {
      await operator.submit({ url: pages.url('/page') });
      await operator.seesOver('failed writes of files', 2, () =>
        worker.metric('capture_storage_failures_total', { operation: 'put' }),
      );
      await operator.seesOver('captures that fail with RENDERING_FAILED', 0, () =>
        worker.metric('capture_captures_total', { outcome: 'failed', error_code: 'RENDERING_FAILED' }),
      );
      await operator.sees('a failed capture in the activity by minute', async () => {
        const { minutes } = await operator.get('/activity?minutes=5');
        return minutes.some(({ failed }: { failed: number }) => failed > 0);
      });
      await operator.sees("the reason in the worker's log", () => /could not be stored/.test(worker.process.output()));
      await operator.seesOver('the size of the file system', 0, () => worker.metric('capture_storage_size_bytes'));
    } finally {
      disk.free();
    }
  },
});
