import { captureKinds } from '@capture/contract/options/capture-options';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { Deadline } from '../deadline.ts';
import { openForTests, small } from '../worker.test-support.ts';

const pages = {
  '/good': '<!doctype html><title>good</title>',
  '/flood': `<!doctype html><script>setInterval(() => fetch('data:,' + 'x'.repeat(5e6) + Math.random()), 0);</script>`,
};

describe('the pages of an account', () => {
  const { server, worker } = openForTests(pages, { viewport: small });
  const request = () => captureKinds.screenshot.request.parse({ ...small, url: server.url('/good') });
  const good = (accountId: string) => worker.captureFor(accountId, { url: server.url('/good') });
  let accounts = 0;
  const newAccount = () => `account ${++accounts}`;

  /** The cell of the account's next page. */
  async function cellOf(accountId: string) {
    const page = await worker.accountPages.of(accountId, request(), false).take(new Deadline(60_000));
    await page.close();
    return page.cell;
  }

  it('are in a private cell for an hour after one page floods its browser with messages', async () => {
    const [account, other] = [newAccount(), newAccount()];
    const first = await worker.cells.current();
    await expect(worker.captureFor(account, { url: server.url('/flood') })).rejects.toThrow('floods the browser');
    expect((await cellOf(account)).kind).toMatchObject({ accountId: account, priority: 'low' });
    // Completed captures do not release the account.
    await Promise.all([good(account), good(other)]);
    expect((await cellOf(account)).kind.accountId).toBe(account);
    expect(await cellOf(other)).toBe(first);
  });

  it('are in a private cell after their cell fails, until a capture completes alone there', async () => {
    const [one, two, later] = [newAccount(), newAccount(), newAccount()];
    await Promise.all([good(one), good(two)]);
    const failed = await worker.cells.current();
    process.kill(-failed.chromium.pid, 'SIGKILL');
    await failed.chromium.ended;
    const [ofOne, ofTwo, ofLater] = await Promise.all([one, two, later].map(cellOf));
    expect([ofOne, ofTwo, ofLater].map((cell) => cell?.kind.accountId)).toEqual([one, two, null]);
    await good(one);
    expect((await cellOf(one)).kind.accountId).toBeNull();
    // The page closed before Chromium drew it, so the account is not released.
    expect((await cellOf(two)).kind.accountId).toBe(two);
  });

  it('count for the fault of a cell only until they are cleared for the next capture', async () => {
    const account = newAccount();
    await good(account);
    await good(account);
    const cell = await worker.cells.current();
    const inAMinute = () => cell.accounts(performance.now() + 60_000);
    await waitUntil(() => !inAMinute().has(account), { what: 'the account to leave the cell' });
  });

  it('keep the account apart while another page, which may be at fault, is in the private cell', async () => {
    const account = newAccount();
    await good(account);
    const failed = await worker.cells.current();
    process.kill(-failed.chromium.pid, 'SIGKILL');
    await failed.chromium.ended;
    const source = worker.accountPages.of(account, request(), false);
    const page = await source.take(new Deadline(60_000));
    await good(account);
    const isReleased = (await cellOf(account)).kind.accountId === null;
    await source.leave(page, null);
    expect(isReleased).toBe(false);
    expect((await cellOf(account)).kind.accountId).toBeNull();
  });

  it('are lost with their browser, but no capture fails, however often another page of the account ends the browser', async () => {
    const account = newAccount();
    const before = server.hits('/good');
    const capturing = worker.captureFor(account, { url: server.url('/good'), wait_until: 'load', delay_ms: 3_000 });
    capturing.catch(() => undefined);
    // The shared cell fails first, then the private cell: the third try has a cell for this capture alone.
    for (let tries = 1; tries <= 2; tries += 1) {
      await waitUntil(() => server.hits('/good') >= before + tries, { what: 'a try' });
      const cell = tries === 1 ? await worker.cells.current() : await cellOf(account);
      cell.chromium.kill();
    }
    expect((await capturing).report.tries).toBe(3);
  });
});
