import { fillDisk } from '../harness/full-disk.ts';
import { operatorCase } from './operator-case.ts';

export const operatorDiskFull = operatorCase({
  name: 'disk-full',
  fault: 'The disk of the files takes no more.',
  alert: 'CaptureStorageFailing',
  metric: 'capture_storage_failures_total',
  leads: ['could not be stored', 'operation'],
  async stage(desk) {
    const { pages, files } = desk.platform;
    pages.serve({ '/page': '<!doctype html><p>an ordinary page' });
    const worker = await desk.startWorker();
    const disk = fillDisk(worker, files);
    try {
      await desk.ask({ url: pages.url('/page') });
      await desk.sees('files that could not be written', async () => {
        return ((await worker.metric('capture_storage_failures_total', { operation: 'put' })) ?? 0) > 2;
      });
      await desk.sees('captures that fail with RENDERING_FAILED', async () => {
        const failed = { outcome: 'failed', error_code: 'RENDERING_FAILED' };
        return ((await worker.metric('capture_captures_total', failed)) ?? 0) > 0;
      });
      await desk.sees('a failed capture in the minutes of the desk', async () => {
        const { minutes } = await desk.operator('/activity?minutes=5');
        return minutes.some(({ failed }: { failed: number }) => failed > 0);
      });
      await desk.sees("the reason in the worker's log", () => /could not be stored/.test(worker.process.output()));
      await desk.sees('how much room the file system has', async () => {
        return ((await worker.metric('capture_storage_size_bytes')) ?? 0) > 0;
      });
    } finally {
      disk.free();
    }
  },
});
