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
import { mainFile, runOps, shareOps } from './run-ops.test-support.ts';

const ops = shareOps();
afterAll(() => ops.kill());

/** Lists all commands and their subcommands. */
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
    '%s has an example in its help',
    (call, command) => {
      const help = helpOf(command);
      expect(help).toMatch(new RegExp(`Examples?:\\n {2}npm run ops -- (?:--json )?${call}\\b`));
      expect(command.description()).not.toBe('');
    },
  );

  it('is in the manual, as is every check of the doctor', () => {
    const manual = readFileSync(path.join(repositoryRoot, 'docs', 'operations.md'), 'utf8');
    for (const { call, command } of commands) if (command.commands.length === 0) expect(manual).toContain(`\`${call}`);
    for (const { name, about } of groups.flatMap(({ checks }) => checks)) {
      expect(manual).toContain(`| \`${name}\``);
      expect(manual).toContain(`| ${about} `);
    }
  });
});

describe('commands that read the platform', () => {
  let gateway: TestGateway;
  let env: TestGateway['env'];
  beforeAll(async () => {
    gateway = await openGateway();
    ({ env } = gateway);
  });
  afterAll(() => gateway.close());

  const json = async (...args: string[]) => JSON.parse((await ops.run(['--json', ...args], env)).output);

  it('processes, or workers, prints a table and JSON', async () => {
    await waitUntil(async () => (await json('workers')).length === 1, { what: 'the gateway to register' });
    expect(await json('processes')).toMatchObject([{ kind: 'api-gateway', node: process.version, detail: {} }]);
    const { code, output } = await ops.run(['processes'], env);
    expect(code).toBe(0);
    expect(output).toMatch(/kind .*host .*pid .*version/);
    expect(output).toMatch(/api-gateway .* MB/);
  });

  it('bulk-work prints what is in progress', async () => {
    expect(await json('bulk-work')).toEqual({
      changed_endpoints: 0,
      deliveries_to_change: 0,
      deleted_accounts: 0,
      captures_to_delete: 0,
      deliveries_to_delete: 0,
      replays: [],
      secrets_to_reencrypt: 0,
    });
    expect((await ops.run(['bulk-work'], env)).output).toMatch(/^replays running +0$/m);
  });

  it('cleanup-jobs, activity and deployment print tables and JSON', async () => {
    expect((await json('cleanup-jobs')).map(({ name }: { name: string }) => name)).toContain('expired files');
    expect((await ops.run(['cleanup-jobs'], env)).output).toMatch(/lost captures +│ capture-worker +│ 2 s /);
    expect((await json('activity', '--minutes', '5')).minutes).toHaveLength(5);
    expect((await ops.run(['activity'], env)).output).toContain('Busiest accounts\nnone\n');
    expect((await ops.run(['activity', '--minutes', '100000'], env)).code).toBe(1);
    expect(await json('deployment')).toMatchObject({ form: 'B' });
    expect((await ops.run(['deployment'], env)).output).toMatch(/enterprise +│ 999999/);
  });

  it('reports a platform that is older than the command line', async () => {
    // A path prefix makes every path unknown, as for an older platform.
    const { code, output } = await ops.run(['processes'], {
      ...env,
      PUBLIC_URL: `http://127.0.0.1:${env.PORT}/former`,
    });
    expect([code, output]).toEqual([
      1,
      `the platform at http://127.0.0.1:${env.PORT}/former does not know /api/operator/processes: it is older than this command line\n`,
    ]);
  });

  it('prints no colours into a file', async () => {
    expect((await runOps(['doctor', '--only', 'node'], { ...env, FORCE_COLOR: '1' })).output).not.toContain('\u001b');
  });

  it('exits quietly when the reader closes the pipe', async () => {
    const child = spawn(process.execPath, [mainFile, '--json', 'activity', '--minutes', '1440'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errorOutput = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errorOutput += chunk.toString();
    });
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect([code, errorOutput]).toEqual([0, '']);
  });
});
