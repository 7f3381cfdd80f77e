import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';
import { announcement } from './announcement.ts';

const facts = {
  port: 3000,
  publicUrl: undefined,
  operatorKey: 'the-operator-key',
  contractForm: 'B',
  newAccountPlan: 'team',
  samplePagePort: 4567,
  dataDir: '/srv/data',
  seconds: 1.234,
};

it('shows its URLs and the operator key', () => {
  expect(announcement(facts)).toMatch(/dashboard: +http:\/\/localhost:3000\/dashboard\n/);
  expect(announcement(facts)).toMatch(/documentation: +http:\/\/localhost:3000\/docs\n/);
  expect(announcement(facts)).toMatch(/address: +http:\/\/localhost:3000\n/);
  expect(announcement(facts)).toMatch(/new accounts: +plan team\n/);
  expect(announcement(facts)).toMatch(/operator key: +the-operator-key\n/);
  expect(announcement({ ...facts, publicUrl: 'https://screenshots.example' })).toContain(
    '(public: https://screenshots.example)',
  );
});

// Not every machine has curl, so this test only shows how a shell calls curl and uses its output.
const curl = `#!${process.execPath}
  require('node:fs').appendFileSync('calls.json', JSON.stringify(process.argv.slice(2)) + '\\n');
  if (process.argv.join().includes('register')) console.log('{"apiKey":"cap_1","plan":"free"}');`;

it.each(['sh', 'bash'])('its commands run in %s when pasted unchanged', async (shell) => {
  const folder = makeTestFolder('paste');
  mkdirSync(path.join(folder, 'bin'));
  writeFileSync(path.join(folder, 'bin', 'curl'), curl, { mode: 0o755 });
  const commands = announcement(facts)
    .split('\n')
    .filter((line) => /^(KEY=|curl )/.test(line));
  expect(commands).toHaveLength(2);
  const terminal = startProcess({
    name: shell,
    command: shell,
    args: ['-c', commands.join('\n')],
    cwd: folder,
    env: { PATH: `${path.join(folder, 'bin')}:${process.env.PATH}` },
  });
  expect(await terminal.exited).toEqual({ code: 0, signal: null });
  expect(terminal.output()).toContain('Saved sample.png');
  const [register, capture] = readFileSync(path.join(folder, 'calls.json'), 'utf8').trim().split('\n');
  const [, url, , type, , body] = JSON.parse(register ?? '') as string[];
  expect([url, type]).toEqual(['http://localhost:3000/api/auth/register', 'Content-Type: application/json']);
  expect(JSON.parse(body ?? '')).toEqual({ email: expect.stringMatching(/^me-\d+@example\.com$/) });
  expect(JSON.parse(capture ?? '')).toEqual([
    '-fsS',
    '-G',
    'http://localhost:3000/api/v1/screenshot',
    '-H',
    'X-API-Key: cap_1',
    '--data-urlencode',
    'url=http://127.0.0.1:4567/',
    '-o',
    'sample.png',
  ]);
});
