import { expect, it } from '@jest/globals';
import { parseCount, parseMoment } from './moment.ts';

const now = new Date('2026-11-20T10:00:00Z');

it.each([
  ['2026-11-20T09:00:00Z', '2026-11-20T09:00:00.000Z'],
  ['2026-11-20T09:00:00.250+02:00', '2026-11-20T07:00:00.250Z'],
  ['90m', '2026-11-20T08:30:00.000Z'],
  ['24h', '2026-11-19T10:00:00.000Z'],
  ['7d', '2026-11-13T10:00:00.000Z'],
])('parses %s as %s', (text, moment) => {
  expect(parseMoment(text, now).toISOString()).toBe(moment);
});

it.each(['', 'yesterday', '2026-11-20', '2026-11-20T09:00:00', '24', '24s', '-1h', '1e3h', '2026-13-20T09:00:00Z'])(
  'rejects %j as a time',
  (text) => {
    expect(() => parseMoment(text, now)).toThrow(
      'Use a time such as 2026-11-20T10:00:00Z, or how long ago: 90m, 24h, 7d.',
    );
  },
);

it('parses counts of at least 1', () => {
  expect(parseCount('250')).toBe(250);
  for (const text of ['', '0', '-1', '1.5', '1e3', 'many']) expect(() => parseCount(text)).toThrow('at least 1');
});
