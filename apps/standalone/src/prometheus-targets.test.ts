import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeTestFolder } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';
import { keepPrometheusTargets } from './prometheus-targets.ts';

it('lists where each process listens now, under a constant instance name', () => {
  const folder = makeTestFolder('targets');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'targets.json');
  const targets = keepPrometheusTargets(file, 'host:3000');
  const read = () => JSON.parse(readFileSync(file, 'utf8'));
  targets.set('capture-worker', 4_001);
  targets.set('api-gateway', 3_000);
  const gateway = { targets: ['127.0.0.1:3000'], labels: { job: 'api-gateway', instance: 'host:3000' } };
  expect(read()).toEqual([
    gateway,
    { targets: ['127.0.0.1:4001'], labels: { job: 'capture-worker', instance: 'host:3000' } },
  ]);
  // The worker listens on another port after a restart.
  targets.set('capture-worker', 4_002);
  expect(read()).toEqual([
    gateway,
    { targets: ['127.0.0.1:4002'], labels: { job: 'capture-worker', instance: 'host:3000' } },
  ]);
  expect(readdirSync(folder)).toEqual(['targets.json']);
  expect(statSync(file).mode & 0o077).toBe(0);
});
