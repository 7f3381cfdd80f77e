import type { Case } from '@capture/corpus/case';
import { describe, expect, it } from '@jest/globals';
import { figuresOf, groupsTable, isForAll, type Runner } from './fidelity-results.ts';

const caseOf = (name: string, more: Partial<Case> = {}): Case => ({
  name,
  group: 'waiting',
  page: `/pages/${name}.html`,
  expect: [{ at: [0, 0], is: '#ff0000' }],
  what: '',
  ...more,
});

const text = caseOf('text');
const tall = caseOf('tall', { group: 'full page', options: { full_page: true } });
const paper = caseOf('paper', { group: 'pdf', kind: 'pdf' });
const cases = [text, tall, paper];

/** Makes a runner that took these milliseconds for each case. A negative number means a wrong result. */
const runnerOf = (title: string, taken: [Case, number][], isPlatform = false): Runner => ({
  title,
  isPlatform,
  draw: () => Promise.reject(new Error('not used')),
  outcomes: new Map(taken.map(([each, ms]) => [each, [{ ms: Math.abs(ms), wrong: ms < 0 ? ['it is blank'] : [] }]])),
});

const us = runnerOf(
  'us',
  [
    [text, 200],
    [tall, 400],
    [paper, -500],
  ],
  true,
);
const fast = runnerOf('fast', [
  [text, -100],
  [tall, 100],
]);
const slow = runnerOf('slow', [
  [text, 1_000],
  [tall, 1_000],
]);

describe('isForAll', () => {
  it('takes screenshots whose options every tool has', () => {
    expect(cases.filter(isForAll)).toEqual([text, tall]);
    expect(isForAll(caseOf('dark', { options: { dark_mode: true } }))).toBe(false);
    expect(isForAll(caseOf('element', { options: { selector: '#a', width: 400 } }))).toBe(true);
  });
});

describe('the figures', () => {
  it('count all cases of the platform, and compare it with others where all were asked', () => {
    const { fidelityRight, ...others } = figuresOf([us, fast, slow], cases);
    expect(fidelityRight).toBeCloseTo(66.7, 1);
    expect(others).toEqual({ fidelityLead: 0, fidelityMedian: 300, fidelityTime: 0.3 });
  });

  it('compare times only with a tool that gets a majority right', () => {
    expect(figuresOf([us, fast], cases)).toMatchObject({ fidelityTime: expect.stringContaining('majority') });
  });
});

it('the table has a row for each group, and a dash where a tool was not asked', () => {
  expect(groupsTable([us, slow], cases).rows).toEqual([
    ['waiting', '1 of 1', '1 of 1'],
    ['full page', '1 of 1', '1 of 1'],
    ['pdf', '0 of 1', '–'],
    ['all', '2 of 3', '2 of 2'],
    ['that all can be asked', '2 of 2', '2 of 2'],
    ['… median seconds', '0.30', '1.00'],
  ]);
});
