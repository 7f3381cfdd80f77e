import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeTestFolder } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { expect, it } from '@jest/globals';
import { followLogs } from './log-files.ts';
import { lastLogMessage } from './log-line.ts';

const line = (level: string, msg: string, more: object = {}) => `${JSON.stringify({ level, msg, ...more })}\n`;

it('shows each warning of a service once, without control characters, and no other lines', async () => {
  const file = path.join(makeTestFolder('logs'), 'gateway.log');
  appendFileSync(file, line('error', 'of an earlier run'));
  const shown: string[] = [];
  const options = { limitBytes: 1_000_000, intervalMs: 5 };
  const stop = followLogs([{ name: 'gateway', file, show: true }], (text) => shown.push(text), options);
  appendFileSync(file, `${line('info', 'a request')}${line('warn', 'Redis is unavailable').repeat(3)}{"level":"err`);
  appendFileSync(file, 'or","msg":"oh\\u001b[31m no","err":{"message":"why"}}\n');
  await waitUntil(() => shown.length >= 2, { what: 'both warnings' });
  appendFileSync(file, line('warn', 'last'));
  await waitUntil(() => shown.at(-1)?.endsWith('last'), { what: 'the last warning' });
  expect(shown).toEqual([
    'gateway: warn: Redis is unavailable',
    'gateway: error: oh [31m no: why',
    'gateway: warn: last',
  ]);
  stop();
});

it('shows only the first of many warnings, and counts the others', async () => {
  const file = path.join(makeTestFolder('logs'), 'gateway.log');
  const shown: string[] = [];
  const options = { limitBytes: 1_000_000, intervalMs: 5 };
  const stop = followLogs([{ name: 'gateway', file, show: true }], (text) => shown.push(text), options);
  appendFileSync(file, Array.from({ length: 50 }, (_, index) => line('warn', `number ${index}`)).join(''));
  await waitUntil(() => shown.some((text) => text.includes('45 more warnings')), { what: 'the count' });
  expect(shown).toHaveLength(6);
  stop();
});

it('keeps a log below its limit, and its previous part', async () => {
  const file = path.join(makeTestFolder('logs'), 'postgres.log');
  appendFileSync(file, 'x'.repeat(2_000));
  const stop = followLogs([{ name: 'postgres', file, show: false }], () => {}, { limitBytes: 1_000, intervalMs: 5 });
  await waitUntil(() => existsSync(`${file}.1`) && statSync(file).size === 0, { what: 'the log to be cut' });
  expect(statSync(`${file}.1`).size).toBe(2_000);
  appendFileSync(file, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  stop();
});

it('finds the reason in the log of a service that ended', () => {
  expect(lastLogMessage(line('info', 'starting') + line('fatal', 'no database', { err: { message: 'refused' } }))).toBe(
    'no database: refused',
  );
  expect(lastLogMessage('file:///x.js:1\nthrow 1\n\nTypeError: x is not a function\n    at file\n\nNode.js v20')).toBe(
    'TypeError: x is not a function',
  );
  expect(lastLogMessage('')).toBe('');
});
