import { describe, expect, it } from '@jest/globals';
import { decision, type Goal, goals, written } from './goals.ts';
import { type BenchRecord, drawMarkdown, drawTerminal, goalsTable, renderSection, renderSummary } from './report.ts';

const less: Goal = { figure: 'latency', better: 'less', unit: '×', goal: 0.65, reach: 0.55 };
const more: Goal = { figure: 'throughput', better: 'more', unit: '/s', goal: 1_000, reach: 2_500 };

describe('the decision on a figure', () => {
  it.each([
    [less, 0.55, '✓✓ reach'],
    [less, 0.6, '✓ goal'],
    [less, 0.65, '✓ goal'],
    [less, 0.78, '✗ by 20 %'],
    [less, 0.66, '✗ by 1.5 %'],
    [more, 2_500, '✓✓ reach'],
    [more, 1_000, '✓ goal'],
    [more, 800, '✗ by 20 %'],
    [{ ...more, reach: null }, 9_999, '✓ goal'],
  ])('%o at %d is %s', (goal, value, expected) => {
    expect(decision(goal, value)).toBe(expected);
  });
});

it('no reach is easier than its goal', () => {
  for (const { goal, reach, better } of Object.values(goals)) {
    if (reach !== null) expect(better === 'less' ? reach < goal : reach > goal).toBe(true);
  }
});

it.each([
  [0.654, '×', '0.65 ×'],
  [8.04, 'ms', '8.0 ms'],
  [1_234.5, 'ms', '1,235 ms'],
  [2_512.3, '/s', '2,512 /s'],
  [40, 'of 40', '40 of 40'],
] as const)('writes %d in %s as %s', (value, unit, expected) => {
  expect(written(value, unit)).toBe(expected);
});

describe('the table of goals', () => {
  const figures = { throughputCluster4: 1.8, latencyLoad: 0.5, throughputServer4: 'not run here: no Node 24' };

  it('has the rows that were measured, in its own order, and says why a figure is missing', () => {
    const { rows } = goalsTable(figures);
    expect(rows.map(([figure, measured, , , said]) => [figure, measured, said])).toEqual([
      [goals.latencyLoad.figure, '0.50 ×', '✓✓ reach'],
      [goals.throughputCluster4.figure, '1.80 ×', '✓✓ reach'],
      [goals.throughputServer4.figure, '–', 'not run here: no Node 24'],
    ]);
  });

  it('stands in both forms of the report, under when and on what it was made', () => {
    const record: BenchRecord = {
      machine: {
        date: '2026-11-20',
        cores: 2,
        processor: 'any',
        memoryGb: 8,
        kernel: 'Linux 6',
        node: 'v20.19.0',
        chromium: 'Chromium 156',
        command: 'npm run bench',
        loadAtStart: 0.1,
      },
      seconds: 600,
      figures,
      sections: [],
    };
    for (const draw of [drawTerminal, drawMarkdown]) {
      const report = renderSummary(record, draw);
      expect(report).toContain('2026-11-20, `npm run bench`, 10 min');
      expect(report).toContain('Chromium 156');
      expect(report).toContain('✓✓ reach');
    }
    expect(renderSummary(record, drawMarkdown)).toContain(
      '| figure | measured | goal | reach | decision |\n| --- | ---: |',
    );
  });

  it('is the last part of the report, after what each section found', () => {
    const tables = [{ title: 'Times', head: ['page', 'ms'], rows: [['tiny', 7]] }];
    const section = { name: 'latency', seconds: 1, tables, notes: ['a note'] };
    expect(renderSection(section, drawMarkdown)).toBe(
      '**Times**\n\n| page | ms |\n| --- | ---: |\n| tiny | 7 |\n\n- a note',
    );
  });
});
