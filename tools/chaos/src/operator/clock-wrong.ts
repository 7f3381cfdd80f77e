import { clockOffset } from '../harness/clock-offset.ts';
import { operatorCase } from './operator-case.ts';

/** A receiver refuses a signature that is five minutes old, or that much too young, seconds. */
const aheadS = 600;

export const operatorClockWrong = operatorCase({
  name: 'clock-wrong',
  fault: 'The clock of a dispatcher is ten minutes ahead.',
  alert: 'CaptureClockWrong',
  metric: 'capture_clock_offset_seconds',
  leads: ['capture_clock_offset_seconds', 'timedatectl'],
  async stage(desk) {
    const dispatcher = await desk.startDispatcher({ NODE_OPTIONS: clockOffset(aheadS * 1_000) });
    await desk.sees('by how much that clock is wrong', async () => {
      const offset = (await dispatcher.metric('capture_clock_offset_seconds')) ?? 0;
      return Math.abs(offset - aheadS) < 2;
    });
    await desk.sees('that the one of the gateway is right', async () => {
      return Math.abs((await desk.gateway.metric('capture_clock_offset_seconds')) ?? aheadS) < 2;
    });
    await desk.sees('the process by its name, with the time that it takes for now', async () => {
      const { processes } = await desk.operator('/processes');
      const found = processes.find(({ kind }: { kind: string }) => kind === 'webhook-dispatcher');
      return Date.parse(found?.seen_at) - Date.now() > (aheadS / 2) * 1_000;
    });
  },
});
