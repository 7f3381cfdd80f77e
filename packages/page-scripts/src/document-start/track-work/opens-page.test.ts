import { describe, expect, it } from '@jest/globals';
import { opensPage } from './opens-page.ts';

describe('whether a callback opens another page', () => {
  it.each([
    ["() => { location.href = '/next' }", true],
    ["() => { window.location = '/next' }", true],
    ['() => top.location.replace(url)', true],
    ["() => document.location.assign('/next')", true],
    ['() => redirectToShop()', true],
    ["() => location.href === '/next'", false],
    ["() => { const location = '/next' }", false],
    ['() => map.location = here', false],
    ['(location) => show(location)', false],
    [`() => {${' '.repeat(5_000)} location.reload; location.href = '/next' }`, false],
  ])('%j: %j', (callback, opens) => {
    expect(opensPage(callback)).toBe(opens);
  });

  it('reads the source of functions', () => {
    const location = { replace: (_: string) => undefined };
    expect(opensPage(() => location.replace('/next'))).toBe(true);
  });
});
