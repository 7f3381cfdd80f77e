import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeTestFolder } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';
import { loadSecrets } from './secrets.ts';

it('generates secrets once, readable by their owner only', () => {
  const folder = makeTestFolder('secrets');
  const generated = loadSecrets(folder);
  expect(loadSecrets(folder)).toEqual(generated);
  expect(new Set(Object.values(generated)).size).toBe(5);
  for (const secret of Object.values(generated)) expect(secret).toMatch(/^[\w-]{43}$/);
  expect(statSync(path.join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
});

it('never overwrites a file with other content', () => {
  const folder = makeTestFolder('secrets');
  const file = path.join(folder, 'secrets.json');
  for (const content of ['', 'not json', '{"SECRET_KEY": "short"}']) {
    writeFileSync(file, content);
    expect(() => loadSecrets(folder)).toThrow(/secrets\.json does not hold this installation's secrets/);
    expect(readFileSync(file, 'utf8')).toBe(content);
  }
});
