import { withTimeout } from '@capture/runtime/timeout';
import { serveHeldPage } from '../harness/slow-page.ts';
import { operatorCase } from './operator-case.ts';

export const operatorQueueStuck = operatorCase({
  name: 'queue-stuck',
  fault: 'The only worker freezes (SIGSTOP) with a capture in progress, and others are queued behind it.',
  alert: 'CaptureQueueStuck',
  metric: 'capture_queue_oldest_waiting_seconds',
  leads: ['ops -- queues', 'frozen'],
  async stage(operator) {
    const { gateway, platform } = operator;
    const held = serveHeldPage(platform);
    const worker = await operator.startWorker({ concurrency: 1 });
    const listed = async () => {
      const { processes } = await operator.get('/processes');
      return processes.some(({ pid }: { pid: number }) => pid === worker.process.pid);
    };
    await operator.submit({ url: held.url });
    await operator.sees('a capture in progress', () => held.open() > 0);
    await operator.sees('its worker among the processes', listed);
    worker.process.signal('SIGSTOP');
    try {
      for (let more = 0; more < 3; more += 1) await operator.submit({ url: held.url });
      const ofCaptures = { queue: 'captures' };
      await operator.sees(
        'queued captures',
        async () => ((await gateway.metric('capture_queue_waiting', ofCaptures)) ?? 0) >= 3,
      );
      // The age grows, and the case does not wait for the alert's minute.
      await operator.seesOver('the age of the oldest', 1, () =>
        gateway.metric('capture_queue_oldest_waiting_seconds', ofCaptures),
      );
      await operator.sees('the age in the list of queues', async () => {
        const { queues } = await operator.get('/queues');
        const captures = queues.find(({ name }: { name: string }) => name === 'captures');
        return captures.waiting >= 3 && captures.oldest_waiting_s > 0;
      });
      await operator.sees('that the worker is gone from the processes', async () => !(await listed()));
      await operator.sees(
        'that no worker takes from the queue',
        async () => (await gateway.metric('capture_queue_workers', ofCaptures)) === 0,
      );
      await operator.sees('that the worker does not respond to its scrape', async () => {
        const scraped = worker.metric('capture_browser_up').then(() => true);
        return !(await withTimeout(500, scraped, () => false));
      });
    } finally {
      held.release();
      worker.process.signal('SIGCONT');
    }
  },
});
