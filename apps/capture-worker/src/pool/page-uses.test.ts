import { gpuProcessOf } from '@capture/testing/processes/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { expect, it } from '@jest/globals';
import { launchTestChromium } from '../worker.test-support.ts';
import { PageUses } from './page-uses.ts';

it('knows which accounts used a page of a browser when it was blocked, also of pages that have ended', async () => {
  const blocked: string[][] = [];
  const uses = new PageUses((accountIds) => blocked.push([...accountIds]));
  const [chromium, other] = await Promise.all([launchTestChromium(), launchTestChromium()]);
  const at = () => performance.now();
  uses.begin(chromium, 'before')();
  const from = at();
  uses.begin(chromium, 'completed')();
  uses.begin(chromium, 'open');
  uses.begin(chromium, 'open');
  uses.begin(other, 'elsewhere');
  const to = at();
  uses.begin(chromium, 'after');
  const gpu = await waitUntil(() => gpuProcessOf(chromium.pid), { what: 'the GPU process' });
  chromium.replaceGpuProcess(gpu, { from, to });
  expect(blocked).toEqual([['completed', 'open']]);
  await Promise.all([chromium.close(), other.close()]);
});
