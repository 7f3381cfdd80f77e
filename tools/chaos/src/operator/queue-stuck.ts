import { serveHeldPage } from '../harness/slow-page.ts';
import { operatorCase } from './operator-case.ts';

export const operatorQueueStuck = operatorCase({
  name: 'queue-stuck',
  fault: 'The only worker stands still (SIGSTOP) with a capture in hand, and others wait behind it.',
  alert: 'CaptureQueueStuck',
  metric: 'capture_queue_oldest_waiting_seconds',
  leads: ['ops -- queues', 'frozen'],
  async stage(desk) {
    const { gateway, platform } = desk;
    const held = serveHeldPage(platform);
    const worker = await desk.startWorker({ concurrency: 1 });
    const listed = async () => {
      const { processes } = await desk.operator('/processes');
      return processes.some(({ pid }: { pid: number }) => pid === worker.process.pid);
    };
    await desk.ask({ url: held.url });
    await desk.sees('a capture under way', () => held.open() > 0);
    await desk.sees('its worker among the processes', listed);
    worker.process.signal('SIGSTOP');
    try {
      for (let more = 0; more < 3; more += 1) await desk.ask({ url: held.url });
      const ofCaptures = { queue: 'captures' };
      await desk.sees('captures that wait', async () => {
        return ((await gateway.metric('capture_queue_waiting', ofCaptures)) ?? 0) >= 3;
      });
      // It ages; how much of the alert's minute it has is not waited for.
      await desk.sees('for how long the oldest has', async () => {
        return ((await gateway.metric('capture_queue_oldest_waiting_seconds', ofCaptures)) ?? 0) > 1;
      });
      await desk.sees('the same in the list of the queues', async () => {
        const { queues } = await desk.operator('/queues');
        const captures = queues.find(({ name }: { name: string }) => name === 'captures');
        return captures.waiting >= 3 && captures.oldest_waiting_s > 0;
      });
      await desk.sees('that the worker is gone from the processes', async () => !(await listed()));
      await desk.sees('that nobody takes from the queue', async () => {
        return (await gateway.metric('capture_queue_workers', ofCaptures)) === 0;
      });
      await desk.sees('that the worker does not response its scrape', async () => {
        const scraped = worker.metric('capture_browser_up').then(() => true);
        const late = new Promise<false>((resolve) => setTimeout(resolve, 500, false));
        scraped.catch(() => {});
        return !(await Promise.race([scraped, late]));
      });
    } finally {
      held.release();
      worker.process.signal('SIGCONT');
    }
  },
});
