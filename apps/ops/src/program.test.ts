import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { groups } from './doctor/groups.ts';
import { openGateway, type TestGateway } from './gateway.test-support.ts';
import { createProgram } from './program.ts';
import { mainFile, runOps } from './run-ops.test-support.ts';

/** Every command as it is typed, those that only hold others too. */
function commandsOf(command: Command, before = ''): { call: string; command: Command }[] {
  return command.commands.flatMap((each) => {
    const call = `${before}${each.name()}`;
    return [{ call, command: each }, ...commandsOf(each, `${call} `)];
  });
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (more) => {
      text += more;
    },
  });
  command.outputHelp();
  return text;
}

const commands = commandsOf(createProgram({}));

describe('every command', () => {
  it.each(commands.map(({ call, command }) => [call, command] as const))(
    '%s shows how it is typed',
    (call, command) => {
      const help = helpOf(command);
      expect(help).toMatch(new RegExp(`Examples?:\\n {2}npm run ops -- (?:--json )?${call}\\b`));
      expect(command.description()).not.toBe('');
    },
  );

  it('stands in the manual, and so does every check of the doctor', () => {
    const manual = readFileSync(path.join(repositoryRoot, 'docs', 'operations.md'), 'utf8');
    for (const { call, command } of commands) if (command.commands.length === 0) expect(manual).toContain(`\`${call}`);
    for (const { name, about } of groups.flatMap(({ checks }) => checks)) {
      expect(manual).toContain(`| \`${name}\``);
      expect(manual).toContain(`| ${about} `);
    }
  });
});

describe('what the platform tells of itself', () => {
  let gateway: TestGateway;
  let env: TestGateway['env'];
  beforeAll(async () => {
    gateway = await openGateway();
    ({ env } = gateway);
  });
  afterAll(() => gateway.close());

  const json = async (...args: string[]) => JSON.parse((await runOps(['--json', ...args], env)).output);

  it('processes, also called workers, as a table and as JSON', async () => {
    await waitUntil(async () => (await json('workers')).length === 1, { what: 'the gateway to report itself' });
    expect(await json('processes')).toMatchObject([{ kind: 'api-gateway', node: process.version, detail: {} }]);
    const { code, output } = await runOps(['processes'], env);
    expect(code).toBe(0);
    expect(output).toMatch(/kind .*host .*pid .*version/);
    expect(output).toMatch(/api-gateway .* MB/);
  });

  it('cleanup jobs, activity and the deployment', async () => {
    expect((await json('cleanup-jobs')).map(({ name }: { name: string }) => name)).toContain('expired files');
    expect((await runOps(['cleanup-jobs'], env)).output).toMatch(/lost captures +│ capture-worker +│ 2 s /);
    expect((await json('activity', '--minutes', '5')).minutes).toHaveLength(5);
    expect((await runOps(['activity'], env)).output).toContain('The busiest accounts\nnone\n');
    expect((await runOps(['activity', '--minutes', '100000'], env)).code).toBe(1);
    expect(await json('deployment')).toMatchObject({ form: 'B' });
    expect((await runOps(['deployment'], env)).output).toMatch(/enterprise +│ 999999/);
  });

  it('says in one sentence that the platform is older, where it does not know what is asked', async () => {
    // The paths of an earlier platform end where a prefix of the address does.
    const { code, output } = await runOps(['processes'], { ...env, PUBLIC_URL: `http://127.0.0.1:${env.PORT}/former` });
    expect([code, output]).toEqual([
      1,
      `the platform at http://127.0.0.1:${env.PORT}/former does not know /api/operator/processes: it is of an earlier version than this command line\n`,
    ]);
  });

  it('prints no colours into a file', async () => {
    expect((await runOps(['doctor', '--only', 'node'], { ...env, FORCE_COLOR: '1' })).output).not.toContain('\u001b');
  });

  it('ends quietly when whoever reads has seen enough', async () => {
    const child = spawn(process.execPath, [mainFile, '--json', 'activity', '--minutes', '1440'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let told = '';
    child.stderr.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect([code, told]).toEqual([0, '']);
  });
});
