import path from 'node:path';
import { createAccount } from '@capture/database/accounts/accounts';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { createTestDatabase } from '@capture/testing/database';
import { openPageServer } from '@capture/testing/network/page-server';
import { startCommandLine } from '@capture/testing/processes/command-line';
import { openAll } from '@capture/testing/processes/open-all';
import { openServices } from '@capture/testing/processes/platform';
import { startProcess, type TestProcess } from '@capture/testing/processes/processes';
import { createTestRedis } from '@capture/testing/redis';
import { repositoryRoot, required } from '@capture/testing/test-run';

/** The built command line. */
const mainFile = path.join(repositoryRoot, 'apps', 'cli', 'dist', 'main.js');

/**
 * Starts a gateway and a worker on a test database, with pages to capture. Other parts of `npm start` would take seconds of
 * processor time to start. @param env overrides settings.
 */
export function openPlatform(env: Record<string, string> = {}) {
  return openAll(async (onClose) => {
    const pages = await openPageServer({});
    onClose(() => pages.close());
    const testDatabase = await createTestDatabase();
    onClose(() => testDatabase.drop());
    const database = openDatabase({ url: testDatabase.url });
    onClose(() => database.close());
    const redis = await createTestRedis();
    onClose(() => redis.close());
    const services = await openServices({
      databaseUrl: testDatabase.url,
      redisUrl: redis.url,
      env: { EGRESS_ALLOW: `127.0.0.1/32:${pages.port}`, ...env },
    });
    onClose(() => services.close());
    const [gateway] = await Promise.all([services.start('api-gateway'), services.start('capture-worker')]);
    // Responses name this host.
    const url = gateway.url.replace('127.0.0.1', 'localhost');
    const commandLine = startCommandLine(mainFile);
    onClose(() => commandLine.kill());
    return {
      url,
      /** Runs the built command line without a terminal, in a process that all calls share. */
      capture: (args: readonly string[], own: Record<string, string> = {}) =>
        commandLine.run(args, { ...noSettings(), ...own }),
      pages,
      database,
      async newAccount(plan = 'business') {
        const id = newId('acc');
        const account = { id, email: `${id}@example.com`, signingSecret: 'x', createdAt: new Date() };
        const issued = await createAccount(database, account);
        await database.pool.query('UPDATE account SET plan = $2 WHERE id = $1', [id, plan]);
        return { id, apiKey: String(issued?.apiKey) };
      },
    };
  });
}

export type PlatformUnderTest = Awaited<ReturnType<typeof openPlatform>>;

/** The command line reads no settings of the user. */
const noSettings = () => ({ XDG_CONFIG_HOME: path.join(required('TEST_FOLDER'), 'no-settings') });

/** Runs the built command line without a terminal, in a separate process. */
export function runCapture(args: readonly string[], env: Record<string, string> = {}): TestProcess {
  return startProcess({
    name: `capture ${args[0]}`,
    args: [mainFile, ...args],
    env: { ...noSettings(), ...env },
  });
}
