import { describe, expect, it } from '@jest/globals';
import { openForTests, small } from '../worker.test-support.ts';

/**
 * Pages write their results into their title. They set few timers, because a wait ignores many that change nothing in view. The
 * real time is the time of an animation that started with the page.
 */
const preamble = `<!doctype html><title>waiting</title><p>A page of some words, so that it is no blank one.</p><script>
  const log = [];
  const show = () => { document.title = log.join(' '); };
  const real = new Animation(new KeyframeEffect(null, [], 1e9));
  real.startTime = 0;
  const aheadMs = () => performance.now() - real.currentTime;
</script>`;

describe('the clock of a page that waits only for its own timers', () => {
  const { server, worker } = openForTests(
    {
      '/data': { delayMs: 300, body: 'data' },
      '/worker.js': { headers: { 'content-type': 'text/javascript' }, body: '' },
    },
    { viewport: small },
  );

  /** Captures a page with this script and returns its title. */
  async function titleOf(script: string): Promise<string> {
    server.serve({ '/page': `${preamble}<script>${script}</script>` });
    const { report } = await worker.capture(server.url('/page'));
    return report.page?.title ?? '';
  }

  it('is hurried: two seconds of a page are drawn before two seconds have passed', async () => {
    const title = await titleOf(`setTimeout(() => { log.push(aheadMs() > 200 ? 'ahead' : 'real'); show(); }, 1_900)`);
    expect(title).toBe('ahead');
  });

  it('agrees with the timeline of animations and with Temporal', async () => {
    const title = await titleOf(`
      const isNear = (one, other) => Math.abs(one - other) < 100;
      setTimeout(() => {
        const time = document.timeline.currentTime;
        log.push(time - real.currentTime > 200);
        const animation = document.documentElement.animate([], 1_000);
        animation.startTime = time - 500;
        log.push(isNear(animation.currentTime, 500), isNear(animation.startTime, time - 500));
        const { Now } = Temporal;
        const zoned = Now.zonedDateTimeISO();
        const times = [Now.instant(), zoned, Now.plainDateTimeISO().toZonedDateTime(zoned.timeZoneId)];
        times.push(Now.plainDateISO('UTC').toZonedDateTime({ timeZone: 'UTC', plainTime: Now.plainTimeISO('UTC') }));
        log.push(...times.map(({ epochMilliseconds }) => isNear(Date.now(), epochMilliseconds)));
        show();
      }, 1_900)`);
    expect(title).toBe(Array(7).fill('true').join(' '));
  });

  it('runs timers, intervals and frames in their order, none before its time', async () => {
    const title = await titleOf(`
      const from = performance.now();
      const date = Date.now();
      const at = (name, ms) => setTimeout(() => {
        const early = performance.now() - from < ms - 1 || Date.now() - date < ms - 2 || new Date() - date < ms - 2;
        log.push(early ? name + '-early' : name);
        Promise.resolve().then(() => log.push('then'));
      }, ms);
      at('c', 900);
      at('b', 600);
      at('a', 300);
      let ticks = 0;
      const interval = setInterval(() => { ticks += 1; if (ticks === 10) { clearInterval(interval); log.push('ten'); } }, 100);
      let last = 0;
      let isBack = false;
      const frame = (time) => { isBack ||= time < last; last = time; if (time - from < 1_100) requestAnimationFrame(frame); };
      requestAnimationFrame(frame);
      setTimeout(() => { log.push(isBack ? 'back' : 'forward', ticks); show(); }, 1_300);`);
    expect(title).toBe('a then b then c then ten forward 10');
  });

  it('runs intervals between timers, and the wait includes their first run', async () => {
    expect(await titleOf("setInterval(() => { log.push('first'); show(); }, 1_400);")).toBe('first');
    const title = await titleOf(`
      const repeated = setInterval(() => log.push('tick'), 500);
      setTimeout(() => { clearInterval(repeated); log.push('timer'); show(); }, 1_300);`);
    expect(title).toBe('tick tick timer');
  });

  it('gives no frame an earlier time than the previous frame, even if scripts take longer than a frame', async () => {
    const title = await titleOf(`
      const busyFor = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
      const interval = setInterval(() => busyFor(30), 50);
      let [last, frames, back] = [0, 0, 0];
      const frame = (time) => {
        if (time < last) back += 1;
        [last, frames] = [time, frames + 1];
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
      setTimeout(() => { clearInterval(interval); log.push(frames > 5, back); show(); }, 1_300);`);
    expect(title).toBe('true 0');
  });

  it('leaves timers that were cleared, or set again, as their scripts want them', async () => {
    const title = await titleOf(`
      const never = setTimeout(() => log.push('never'), 1_200);
      const repeated = setInterval(() => log.push('tick'), 200);
      setTimeout(() => { clearTimeout(never); clearInterval(repeated); log.length = 0; }, 700);
      setTimeout(function () { log.push('last', this === window, ...arguments); show(); }, 1_300, 'given', 'twice');`);
    expect(title).toBe('last true given twice');
  });

  it('is not hurried while the page requests data, so that the page’s own time limit does not pass', async () => {
    const title = await titleOf(`
      setTimeout(() => {
        const limit = new Promise((resolve) => { setTimeout(resolve, 1_200, 'too late'); });
        Promise.race([fetch('/data').then((response) => response.text()), limit]).then((first) => { log.push(first); show(); });
      }, 500);`);
    expect(title).toBe('data');
  });

  it('is not hurried while the page derives a key, and the wait includes that', async () => {
    const title = await titleOf(`
      // As libraries do that follow asynchronous work.
      globalThis.Promise = class extends Promise {};
      setTimeout(() => {}, 1_900);
      const derive = async () => {
        const salt = new Uint8Array(8);
        const key = await crypto.subtle.importKey('raw', salt, 'PBKDF2', false, ['deriveBits']);
        await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: 1_500_000 }, key, 256);
        log.push(aheadMs() > 200 ? 'ahead' : 'real');
        show();
      };
      derive();`);
    expect(title).toBe('real');
  });

  it('keeps real time once the page starts a worker, which may change the page at any time', async () => {
    const title = await titleOf(`
      new Worker('/worker.js');
      setTimeout(() => { log.push(aheadMs() > 200 ? 'ahead' : 'real'); show(); }, 1_500)`);
    expect(title).toBe('real');
  });

  it('reports an exception of a callback as an error of the page, and continues', async () => {
    const title = await titleOf(`
      addEventListener('error', ({ message }) => log.push(message.includes('oh no') ? 'caught' : message));
      setTimeout(() => { throw new Error('oh no'); }, 600);
      requestAnimationFrame(() => { throw new Error('oh no'); });
      setTimeout(() => { show(); }, 1_200)`);
    expect(title).toBe('caught caught');
  });

  it('looks like any other', async () => {
    const title = await titleOf(`
      class Day extends Date {}
      log.push(new Date().constructor === Date, new Date() instanceof Date, new Day(0) instanceof Day, new Date(5).getTime());
      log.push(typeof Date(), Date.length, Date.name, performance.now.name, /native code/.test(setTimeout));
      const attach = Element.prototype.attachShadow;
      attach.call(document.querySelector('p'), { mode: 'closed' }).innerHTML = '<slot></slot>';
      setTimeout(() => {
        log.push(attach.name, attach.length, /native code/.test(attach), CSS.highlights.size, Worker.name, Worker.length);
        show();
      }, 500);`);
    expect(title).toBe('true true true 5 string 7 Date now true attachShadow 1 true 0 Worker 1');
  });
});
