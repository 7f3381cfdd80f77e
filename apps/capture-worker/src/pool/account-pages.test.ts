import { captureKinds } from '@capture/contract/options/capture-options';
import { gpuProcessOf } from '@capture/testing/processes/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { Deadline } from '../deadline.ts';
import { openForTests, small } from '../worker.test-support.ts';

/** Changes of attributes, of which Chromium reports none. */
const unreported = `<!doctype html>${'<iframe hidden srcdoc=""></iframe>'.repeat(30)}<script>
  let count = 0;
  setInterval(() => {
    const until = performance.now() + 50;
    while (performance.now() < until) for (const frame of document.querySelectorAll('iframe')) frame.name = count++;
  }, 0);
</script>`;

const pages = {
  '/good': '<!doctype html><title>good</title>',
  '/flood': `<!doctype html><script>setInterval(() => {
    for (let n = 0; n < 50; n += 1) {
      const frame = document.createElement('iframe');
      document.documentElement.append(frame);
      frame.remove();
    }
  }, 0);</script>`,
  '/unreported': unreported,
  '/frame': `<!doctype html><script>
    const frame = document.createElement('iframe');
    frame.src = 'http://localhost:' + location.port + '/unreported';
    document.documentElement.append(frame);
  </script>`,
};

describe('an account whose page floods the browser', () => {
  const { server, worker } = openForTests(pages, { browser: { healthTimeoutMs: 3_000 } });

  /** The browser in which the next page of an account is. */
  async function browserOf(accountId: string) {
    const page = await worker.accountPages.of(accountId, request(), false).take(new Deadline(60_000));
    await page.close();
    return page.chromium;
  }
  const request = () => captureKinds.screenshot.request.parse({ ...small, url: server.url('/good') });

  it('shares no browser with other accounts for a while', async () => {
    await expect(worker.captureFor('hostile', { ...small, url: server.url('/flood') })).rejects.toThrow('floods');
    const separate = await browserOf('hostile');
    expect(worker.browser.isCurrent(separate)).toBe(false);
    expect(worker.browser.isCurrent(await browserOf('ordinary'))).toBe(true);
    // Its captures go on there, also while one floods again.
    const again = worker.captureFor('hostile', { ...small, url: server.url('/flood') });
    await Promise.all([
      expect(again).rejects.toThrow('floods'),
      worker.captureFor('hostile', { ...small, url: server.url('/good') }),
      worker.captureFor('ordinary', { ...small, url: server.url('/good') }),
    ]);
  });

  it.each([
    ['a page', '/unreported'],
    ['a frame of another site', '/frame'],
  ])('is known by the messages of %s, which is tried again where it delays no other account', async (what, path) => {
    const { pid } = await worker.browser.current();
    const options = { ...small, url: server.url(path), wait_for_selector: '#never', timeout_ms: 15_000 };
    const capturing = worker.captureFor(what, options);
    const isSeparate = async () => !worker.browser.isCurrent(await browserOf(what));
    await Promise.all([
      expect(capturing).rejects.toThrow('matched no element'),
      waitUntil(isSeparate, { what: 'another browser' }),
    ]);
    expect((await worker.browser.current()).pid).toBe(pid);
    await worker.captureFor('ordinary', { ...small, url: server.url('/good') });
  });

  it('is known by the browser that its page alone has blocked', async () => {
    const page = await worker.accountPages.of('blocking', request(), false).takeIsolated(new Deadline(60_000));
    const gpu = await waitUntil(() => gpuProcessOf(page.chromium.pid), { what: 'the GPU process' });
    await worker.browser.suspect(page.chromium);
    process.kill(gpu, 'SIGSTOP');
    await worker.browser.suspect(page.chromium);
    await page.close();
    expect(worker.browser.isCurrent(await browserOf('blocking'))).toBe(false);
  });

  it('is suspected if the browser of its page alone ends', async () => {
    const of = () => worker.accountPages.of('ending', request(), false);
    const source = of();
    const page = await source.takeIsolated(new Deadline(60_000));
    process.kill(-page.chromium.pid, 'SIGKILL');
    await page.chromium.ended;
    await source.leave(page, null);
    const next = await of().take(new Deadline(60_000));
    await next.close();
    expect([await worker.browser.current(), await worker.browser.separate()]).not.toContain(next.chromium);
  });

  it('is not taken for one of the accounts beside it, whose next pages are alone', async () => {
    const of = (accountId: string) => worker.accountPages.of(accountId, request(), false);
    const sources = ['first', 'second'].map(of);
    const pages = await Promise.all(sources.map((source) => source.take(new Deadline(60_000))));
    const { chromium } = pages[0] as (typeof pages)[number];
    expect(pages.map((page) => page.chromium)).toEqual([chromium, chromium]);
    const gpu = await waitUntil(() => gpuProcessOf(chromium.pid), { what: 'the GPU process' });
    await worker.browser.suspect(chromium);
    process.kill(gpu, 'SIGSTOP');
    await worker.browser.suspect(chromium);
    await Promise.all(pages.map((page, index) => sources[index]?.leave(page, null)));
    const [first, second] = [of('first'), of('second')];
    const [alone, other] = await Promise.all([first.take(new Deadline(60_000)), second.take(new Deadline(60_000))]);
    expect(new Set([chromium, alone.chromium, other.chromium]).size).toBe(3);
    // A repair of the same capture is alone too.
    const again = await first.take(new Deadline(60_000));
    expect([alone.chromium, await worker.browser.current()]).not.toContain(again.chromium);
    // Another capture of the account waits for this one, which shows that the account is not at fault.
    const waiting = of('first').take(new Deadline(60_000));
    await Promise.all([first.leave(alone, null), first.leave(again, { tries: 2 }), second.leave(other, null)]);
    const beside = await waiting;
    expect(beside.chromium).toBe(await worker.browser.current());
    await beside.close();
    expect(await browserOf('second')).not.toBe(await worker.browser.current());
  });

  it('has its next page alone, also after one that came too late for its capture', async () => {
    const of = () => worker.accountPages.of('late', request(), false);
    const page = await of().take(new Deadline(60_000));
    const { chromium } = page;
    const gpu = await waitUntil(() => gpuProcessOf(chromium.pid), { what: 'the GPU process' });
    chromium.replaceGpuProcess(gpu, { from: 0, to: performance.now() });
    await page.close();
    const late = await of().take(new Deadline(60_000));
    // It is not left: its capture has ended.
    await late.close();
    await late.chromium.ended;
    const alone = await of().take(new Deadline(60_000));
    expect([chromium, late.chromium, await worker.browser.separate()]).not.toContain(alone.chromium);
    await alone.close();
  });

  it('loses no capture however often others of them end their browser', async () => {
    await expect(worker.captureFor('unlucky', { ...small, url: server.url('/flood') })).rejects.toThrow('floods');
    const before = server.hits();
    const capturing = worker.captureFor('unlucky', {
      ...small,
      url: server.url('/good'),
      wait_until: 'load',
      delay_ms: 3_000,
    });
    capturing.catch(() => undefined);
    // Each time it shows its page. Without a browser of its own, its second try would end as the first did.
    for (let tries = 1; tries <= 2; tries += 1) {
      await waitUntil(() => server.hits() >= before + tries, { what: 'a try' });
      (await worker.browser.separate()).kill();
    }
    expect((await capturing).report.tries).toBe(2);
  });
});
