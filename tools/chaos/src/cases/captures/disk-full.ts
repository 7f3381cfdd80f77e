import { isAlive } from '@capture/testing/process-list';
import type { ChaosCase } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import { noSubmissions, submitCapture } from '../../harness/client.ts';
import { fillDisk } from '../../harness/full-disk.ts';
import { settleCaptures } from '../../harness/settle.ts';

export const diskFull: ChaosCase = {
  name: 'disk-full',
  promise:
    'The disk takes no more files: captures fail with RENDERING_FAILED, cost nothing and leave no parts of files behind; when there is room again the same worker makes the next ones.',
  async run(context) {
    const platform = await context.open();
    const { pages, files } = platform;
    pages.serve({ '/page': '<!doctype html><p>an ordinary page' });
    const [gateway, worker] = await Promise.all([platform.startGateway(), platform.startWorker()]);
    const client = await platform.newClient('enterprise');
    const submissions = noSubmissions();
    const round = context.scaled(20, 2);
    const ask = async () => {
      const sync = await submitCapture(gateway, client, submissions, { url: pages.url('/page'), async: false });
      for (let index = 0; index < round; index += 1) {
        await submitCapture(gateway, client, submissions, { url: pages.url('/page') });
      }
      await settleCaptures(platform, context);
      return sync;
    };
    const disk = fillDisk(worker, files);
    const refused = await ask();
    const whileFull = await checkCaptures(platform, submissions);
    context.expect(
      refused.status === 500 && refused.body?.error_code === 'RENDERING_FAILED',
      `who waits is told (${refused.status})`,
    );
    context.expect(whileFull.completed === 0, `nothing is made while the disk is full (${whileFull.completed} were)`);
    disk.free();
    const made = await ask();
    context.expect(made.status === 200, `who waits gets the picture when there is room again (${made.status})`);

    const ledger = await checkCaptures(platform, submissions);
    const failed = ledger.failedWith.get('RENDERING_FAILED') ?? 0;
    context.expect(failed === round + 1, `all ${round + 1} failed with RENDERING_FAILED while it was full (${failed})`);
    context.expect(ledger.completed === round + 1, `all ${round + 1} were made afterwards (${ledger.completed})`);
    context.expect(isAlive(worker.process.pid), 'the worker lives');
    context.note(`${disk.how}: ${failed} failed, and ${ledger.completed} were made afterwards`);
    return { ...ledger, faults: [...whileFull.faults, ...ledger.faults] };
  },
};
