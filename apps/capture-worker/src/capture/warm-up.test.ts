import { contractForm } from '@capture/contract/forms/forms';
import { parseAddressRules } from '@capture/egress/address-rules';
import { describe, expect, it } from '@jest/globals';
import { Cleaner } from '../clean/clean.ts';
import { createRenderers } from '../render/renderers.ts';
import { openForTests, quiet } from '../worker.test-support.ts';
import { warmUp } from './warm-up.ts';

describe('the warm-up capture', () => {
  const warned: unknown[] = [];
  const log = { warn: (line: unknown) => void warned.push(line) };
  const { worker } = openForTests();

  const dependencies = () => ({
    cells: worker.cells,
    pool: worker.pool,
    renderers: createRenderers('quick'),
    cleaner: new Cleaner({ adListsDir: undefined, log: quiet }),
    rules: parseAddressRules({}),
    form: contractForm('B'),
  });

  it('succeeds and leaves no page open', async () => {
    await warmUp(dependencies(), log);
    expect(warned).toEqual([]);
    const { browser } = (await worker.cells.current()).chromium;
    expect(browser.browserContexts()).toHaveLength(1);
  });

  it('does not keep the worker from starting when it fails', async () => {
    await worker.pool.close();
    await worker.cells.close();
    await warmUp(dependencies(), log);
    expect(warned).toHaveLength(1);
  });
});
