import type { ChaosCase } from '../../case.ts';
import { fillDisk } from '../../harness/full-disk.ts';

export const diskFull: ChaosCase = {
  name: 'disk-full',
  promise:
    'The disk is full: captures fail with RENDERING_FAILED, cost nothing and leave no partial files; once there is space again the same worker completes the next ones.',
  async run(context) {
    const platform = await context.open();
    const { pages, files } = platform;
    const [gateway, worker] = await Promise.all([platform.startGateway(), platform.startWorker({ concurrency: 1 })]);
    const client = await platform.newClient('enterprise');
    const round = context.scaled(20, 2);
    const submitRound = async () => {
      const sync = await platform.submit(gateway, client, { url: pages.url('/page'), async: false });
      for (let index = 0; index < round; index += 1) {
        await platform.submit(gateway, client, { url: pages.url('/page') });
      }
      await platform.settleCaptures();
      return sync;
    };
    const disk = fillDisk(worker, files);
    const refused = await submitRound();
    const whileFull = await platform.checkCaptures();
    context.expect(
      refused.status === 500 && refused.body?.error_code === 'RENDERING_FAILED',
      `a waiting client gets the error (${refused.status})`,
    );
    context.expect(
      whileFull.completed === 0,
      `no capture completes while the disk is full (${whileFull.completed} did)`,
    );
    disk.free();
    const completed = await submitRound();
    context.expect(
      completed.status === 200,
      `a waiting client gets the screenshot once there is space (${completed.status})`,
    );

    const ledger = await platform.checkCaptures();
    const failed = ledger.failedWith.get('RENDERING_FAILED') ?? 0;
    context.expect(
      failed === round + 1,
      `all ${round + 1} captures fail with RENDERING_FAILED while it is full (${failed})`,
    );
    context.expect(
      ledger.completed === round + 1,
      `all ${round + 1} captures complete afterwards (${ledger.completed})`,
    );
    context.expectRunning([worker], 'the worker survives');
    context.note(`${disk.how}: ${failed} failed, and ${ledger.completed} completed afterwards`);
    return { ...ledger, faults: [...whileFull.faults, ...ledger.faults] };
  },
};
