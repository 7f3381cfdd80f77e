import path from 'node:path';
import { ProcessTable, readRunning } from '@capture/provisioning/process-table';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';
import { endLeftovers } from './leftovers.ts';

const obedient = `process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); console.log('up');`;
const deaf = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up');`;

it('waits for the processes of a killed supervisor', async () => {
  const table = new ProcessTable(path.join(makeTestFolder('leftovers'), 'processes.json'));
  const gateway = startProcess({ name: 'gateway', args: ['-e', obedient] });
  await gateway.waitForOutput(/up/);
  table.add('gateway', 'service', gateway.pid);

  const reported: string[] = [];
  await endLeftovers(table.file, (line) => reported.push(line));
  expect(await gateway.exited).toEqual({ code: 0, signal: null });
  expect(reported).toEqual([expect.stringContaining(`gateway (process ${gateway.pid})`)]);
});

it('kills processes that do not end', async () => {
  const table = new ProcessTable(path.join(makeTestFolder('leftovers'), 'processes.json'));
  const worker = startProcess({ name: 'worker', args: ['-e', deaf] });
  const guard = startProcess({ name: 'guard', args: ['-e', deaf] });
  for (const process of [worker, guard]) await process.waitForOutput(/up/);
  table.add('worker', 'service', worker.pid);
  table.add('postgres', 'guard', guard.pid);

  const reported: string[] = [];
  await endLeftovers(table.file, (line) => reported.push(line), { services: 300, guards: 50 });
  expect(readRunning(table.file)).toEqual([]);
  expect(await worker.exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect(await guard.exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect(reported[0]).toContain(`worker (process ${worker.pid})`);
  expect(reported.slice(1).map((line) => line.replace(/ \(.*/, ''))).toEqual(['worker', 'postgres']);
});

it('reports nothing if no process is left', async () => {
  const reported: string[] = [];
  await endLeftovers(path.join(makeTestFolder('leftovers'), 'none.json'), (line) => reported.push(line));
  expect(reported).toEqual([]);
});
