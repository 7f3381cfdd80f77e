import { clockOffset } from '../harness/clock-offset.ts';
import { operatorCase } from './operator-case.ts';

/** The offset in seconds. Receivers refuse a signature that is more than five minutes off. */
const aheadS = 600;

export const operatorClockWrong = operatorCase({
  name: 'clock-wrong',
  fault: 'The clock of a dispatcher is ten minutes ahead.',
  alert: 'CaptureClockWrong',
  metric: 'capture_clock_offset_seconds',
  leads: ['capture_clock_offset_seconds', 'timedatectl'],
  async stage(operator) {
    const dispatcher = await operator.startDispatcher({ NODE_OPTIONS: clockOffset(aheadS * 1_000) });
    await operator.sees('the offset of that clock', async () => {
      const offset = (await dispatcher.metric('capture_clock_offset_seconds')) ?? 0;
      return Math.abs(offset - aheadS) < 2;
    });
    await operator.sees(
      'the correct clock of the gateway',
      async () => Math.abs((await operator.gateway.metric('capture_clock_offset_seconds')) ?? aheadS) < 2,
    );
    await operator.sees('the process with its own time', async () => {
      const { processes } = await operator.get('/processes');
      const found = processes.find(({ kind }: { kind: string }) => kind === 'webhook-dispatcher');
      return Date.parse(found?.seen_at) - Date.now() > (aheadS / 2) * 1_000;
    });
  },
});
