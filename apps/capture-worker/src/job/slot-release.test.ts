import { expect, it } from '@jest/globals';
import { SlotRelease } from './slot-release.ts';

/** Creates a capture that has its outcome, and ends, when the functions are called. */
function newCapture() {
  let [capture, end] = [() => {}, () => {}];
  const captured = new Promise<void>((resolve) => {
    capture = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { captured, ended, capture, end };
}

const never = 60_000;

it('a slot is free as soon as its capture has ended', async () => {
  const { capture, end, ...use } = newCapture();
  const free = new SlotRelease(0, { ownMs: never, tidyMs: never }).whenFree(use);
  capture();
  end();
  await free;
  // Without pages nothing is tidied.
  const other = newCapture();
  const release = new SlotRelease(0, { ownMs: never, tidyMs: never });
  other.end();
  await release.whenFree(other);
});

it.each([
  { what: 'captures that last long', times: { ownMs: 0, tidyMs: 0 }, captured: false },
  { what: 'captures whose pages take long to close', times: { ownMs: never, tidyMs: 0 }, captured: true },
])(
  'frees slots of $what, up to the bound; the next waits for one of them or for its own',
  async ({ times, captured }) => {
    const release = new SlotRelease(1, times);
    const captures = [newCapture(), newCapture(), newCapture()] as const;
    const [first, second, third] = captures;
    if (captured) for (const { capture } of captures) capture();
    await release.whenFree(first);
    let freed = 0;
    const waiting = [second, third].map((use) =>
      release.whenFree(use).then(() => {
        freed += 1;
      }),
    );
    // The time limits of both captures have passed.
    await new SlotRelease(1, times).whenFree(second);
    expect(freed).toBe(0);
    third.end();
    await waiting[1];
    expect(freed).toBe(1);
    first.end();
    await waiting[0];
    second.end();
  },
);

it('keeps the slot of a capture for its time, and that of pages for theirs', async () => {
  const release = new SlotRelease(3, { ownMs: never, tidyMs: never });
  const [running, tidying] = [newCapture(), newCapture()];
  let freed = 0;
  const both = [running, tidying].map((use) =>
    release.whenFree(use).then(() => {
      freed += 1;
    }),
  );
  tidying.capture();
  await new Promise(setImmediate);
  expect(freed).toBe(0);
  running.end();
  tidying.end();
  await Promise.all(both);
});

it('says when all that went on without a slot has ended', async () => {
  const release = new SlotRelease(1, { ownMs: 0, tidyMs: 0 });
  const capture = newCapture();
  await release.whenFree(capture);
  let ended = false;
  const all = release.whenAllEnded().then(() => {
    ended = true;
  });
  await new Promise(setImmediate);
  expect(ended).toBe(false);
  capture.end();
  await all;
});
