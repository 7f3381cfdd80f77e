import { expect, it } from '@jest/globals';
import { startProcess } from './processes.ts';

const script = `
  process.on('SIGTERM', () => { console.log('ending'); process.exit(3); });
  setInterval(() => {}, 1000);
  console.log('ready with ' + process.env.GIVEN + ' and ' + process.env.TEST_FOLDER);`;

it('passes a process only the given environment, and collects its output', async () => {
  const child = startProcess({ name: 'child', args: ['-e', script], env: { GIVEN: 'this' } });
  const [, given, inherited] = await child.waitForOutput(/ready with (\w+) and (\w+)/);
  expect([given, inherited]).toEqual(['this', 'undefined']);
  expect(await child.stop()).toEqual({ code: 3, signal: null });
  expect(child.output()).toContain('ending');
});

it('kills a process with SIGKILL', async () => {
  const child = startProcess({ name: 'child', args: ['-e', script] });
  await child.waitForOutput(/ready/);
  expect(await child.kill()).toEqual({ code: null, signal: 'SIGKILL' });
});

it('throws at once, with the output, when the process exits instead of becoming ready', async () => {
  const child = startProcess({ name: 'child', args: ['-e', 'console.error("no port"); process.exit(1)'] });
  await expect(child.waitForOutput(/ready/)).rejects.toThrow(/child ended .*"code":1[\s\S]*no port/);
});
