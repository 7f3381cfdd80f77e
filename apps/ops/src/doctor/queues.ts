import { duration } from '../duration.ts';
import { readOperatorApi } from '../operator-api.ts';
import type { Queue } from '../queues.ts';
import { CannotCheck, counted, type Finding, fault, group, notChecked, ok, required, warning } from './check.ts';

/** How long the oldest job may wait, seconds. A batch waits by design for its plan's share of pages; a delivery never waits long. */
const oldest = {
  captures: { warning: 600, fault: 7_200, fix: 'start more workers, or raise CAPTURE_CONCURRENCY' },
  deliveries: {
    warning: 120,
    fault: 1_800,
    fix: 'start more dispatchers; `npm run ops -- activity` lists failing receivers',
  },
};

export const queues = group<Record<string, Queue>>({
  name: 'queues',
  async open({ platform }) {
    const { queues: found } = await readOperatorApi<{ queues: Queue[] }>(required(platform), '/queues').catch(
      (error: Error) => {
        throw new CannotCheck(notChecked(error.message));
      },
    );
    return Object.fromEntries(found.map((queue) => [queue.name, queue]));
  },
  checks: [
    {
      name: 'captures',
      about: 'captures do not wait too long, and a worker takes them',
      run: ({ captures }) => checkQueue(captures, oldest.captures, 'capture-worker'),
    },
    {
      name: 'deliveries',
      about: 'due deliveries do not wait too long, and a dispatcher takes them',
      run: ({ deliveries }) => checkQueue(deliveries, oldest.deliveries, 'webhook-dispatcher'),
    },
  ],
});

function checkQueue(queue: Queue | undefined, limits: (typeof oldest)['captures'], worker: string): Finding {
  if (!queue) return notChecked('the platform does not report it');
  const { waiting, active, oldest_waiting_s: oldestS } = queue;
  const message = `${waiting} queued${oldestS ? `, the oldest for ${duration(oldestS * 1_000)}` : ''}, ${active} in progress, ${counted(queue.workers, worker)}`;
  if (queue.workers === 0) return fault(message, `start a ${worker}`);
  if ((oldestS ?? 0) > limits.fault) return fault(message, limits.fix);
  return (oldestS ?? 0) > limits.warning ? warning(message, limits.fix) : ok(message);
}
