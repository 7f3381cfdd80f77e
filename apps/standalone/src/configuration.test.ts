import path from 'node:path';
import { expect, it } from '@jest/globals';
import { readConfiguration } from './configuration.ts';
import { repositoryRoot } from './repository.ts';

it('has a default for every setting', () => {
  expect(readConfiguration({})).toMatchObject({
    PORT: 3000,
    CONTRACT_FORM: 'B',
    DATA_DIR: path.join(repositoryRoot, '.data'),
  });
});

it('reports all faults at once, and repeats no secret', () => {
  const wrong = {
    PORT: 'http',
    CONTRACT_FORM: 'C',
    DATABASE_URL: 'mysql://user:hidden@host/',
    SECRET_KEY: 'hidden',
    EGRESS_ALLOW: '10.0.0.0/99',
  };
  let message = '';
  try {
    readConfiguration(wrong);
  } catch (error) {
    ({ message } = error as Error);
  }
  const lines = message.split('\n').map((line) => line.split(':')[0]);
  expect(lines.sort()).toEqual(Object.keys(wrong).sort());
  expect(message).toContain('EGRESS_ALLOW: "10.0.0.0/99"');
  expect(message).not.toContain('hidden');
});
