import { describe, expect, it } from '@jest/globals';
import { lastingReasons, type Memory, needsNoRealTime, reasonToWait } from './reasons.ts';
import { Timers } from './timers.ts';
import type { View } from './view.ts';
import { lookAt } from './wait.test-support.ts';

const view = (facts: Partial<View> = {}): View => ({
  ...lookAt(),
  ...{ readyMs: 100, pageMs: 100, unchangedMs: 100, advancedLooks: 0, silentMs: 100 },
  ...{ loaded: true, inFlight: 0, relevant: 0, awaited: 0, ...facts },
});

const memory = (): Memory => ({
  timers: new Timers(),
  stillSince: null,
  noteEndless: () => undefined,
  movesWithoutEnd: () => false,
});

const reasonOf = (facts: Partial<View>, exhausted = new Set<string>()) =>
  reasonToWait(view(facts), memory(), exhausted);

const timer = { inMs: 800, depth: 1, opens: false };

describe('a reason to wait', () => {
  it('does not exist for a quiet page', () => {
    expect(reasonOf({})).toBeNull();
  });

  it.each<[string, Partial<View>]>([
    ['stalled', { loaded: false }],
    ['in flight', { inFlight: 1, awaited: 1, fonts: true }],
    ['scripts at work', { busy: true, fonts: true }],
    ['font', { fonts: true, timers: [timer] }],
    ['cover', { covered: true, timers: [timer] }],
    ['redirect', { refreshInMs: 400, announced: 'page' }],
    ['announced', { announced: 'page', videos: true }],
    ['timer', { timers: [timer], loops: true }],
    ['moving', { loops: true, moving: true }],
  ])('%s comes before the reasons that follow in the table', (name, facts) => {
    expect(reasonOf(facts)?.name).toBe(name);
  });

  it('counts until its time is up, by the clock of the page where that is hurried', () => {
    expect(reasonOf({ videos: true, readyMs: 2_400, pageMs: 9_000 })?.name).toBe('video');
    expect(reasonOf({ videos: true, readyMs: 2_600 })).toBeNull();
    expect(reasonOf({ timers: [timer], readyMs: 900, pageMs: 4_500 })).toBeNull();
  });

  it('that lasted too long in a document is not waited for again', () => {
    const exhausted = new Set<string>();
    expect(reasonOf({ fonts: true, readyMs: 5_100 }, exhausted)).toBeNull();
    expect(reasonOf({ fonts: true }, exhausted)).toBeNull();
    expect(reasonOf({ fonts: true })?.name).toBe('font');
  });

  it('keeps the clock of the page from being hurried, unless the reason needs only that clock', () => {
    const isHurried = (facts: Partial<View>) => needsNoRealTime(view(facts), memory());
    expect(isHurried({ timers: [timer], loops: true })).toBe(true);
    expect(isHurried({ timers: [timer], fonts: true })).toBe(false);
    expect(isHurried({ timers: [timer], relevant: 1 })).toBe(false);
  });

  it('is named when it lasts at the end of the wait', () => {
    const namesOf = (facts: Partial<View>) => lastingReasons(view(facts), memory()).map(({ name }) => name);
    expect(namesOf({})).toEqual([]);
    expect(namesOf({ loaded: false, inFlight: 1, fonts: true })).toEqual(['stalled', 'in flight', 'font']);
    expect(namesOf({ announced: 'part', videos: true, timers: [timer] })).toEqual([]);
  });
});
