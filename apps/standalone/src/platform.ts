import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bindContractForm } from '@capture/migrations/deployment-form';
import { applyMigrations } from '@capture/migrations/migrate';
import { findFreePort } from '@capture/provisioning/free-port';
import { findOrInstallAdLists } from '@capture/provisioning/install-ad-lists';
import { findOrInstallChromium } from '@capture/provisioning/install-chromium';
import { reportMissingFonts } from '@capture/provisioning/install-fonts';
import { findOrInstallRedis } from '@capture/provisioning/install-redis';
import { removePlatformFile, writePlatformFile } from '@capture/provisioning/platform-file';
import { ProcessTable } from '@capture/provisioning/process-table';
import type { Report } from '@capture/provisioning/provisioning-error';
import { expectPostgres, expectRedis } from '@capture/provisioning/reachable';
import { deploymentForm } from '@capture/runtime/deployment-form';
import type { Announced } from './announcement.ts';
import type { Configuration } from './configuration.ts';
import type { DataFolder } from './data-folder.ts';
import { followLogs } from './log-files.ts';
import { type OwnPorts, readPorts, writePorts } from './ports.ts';
import { keepPrometheusTargets, type PrometheusTargets } from './prometheus-targets.ts';
import { builtFile } from './repository.ts';
import type { Secrets } from './secrets.ts';
import { postgresProgram, redisProgram, type ServerSurroundings } from './server-programs.ts';
import { type ServiceName, serviceEnvironment, serviceNames } from './service-environment.ts';
import { serviceProgram } from './service-program.ts';
import { StartError } from './start-error.ts';
import type { Supervisor } from './supervisor.ts';

export interface PlatformParts {
  config: Configuration;
  /** The environment, from which each service gets the variables that it may know. */
  env: Record<string, string | undefined>;
  folder: DataFolder;
  secrets: Secrets;
  supervisor: Supervisor;
  report: Report;
}

/**
 * Finds or installs missing programs, starts every part of the platform under the supervisor, servers first, and resolves when
 * all parts are ready.
 *
 * @throws an error of one sentence if a part cannot be provided.
 */
export async function startPlatform(parts: PlatformParts): Promise<Omit<Announced, 'seconds'>> {
  const { config, env, folder, secrets, supervisor, report } = parts;
  // Quick checks come before installations.
  const { newAccountPlan } = deploymentForm(config);
  if (config.DATABASE_URL) await expectPostgres(config.DATABASE_URL);
  if (config.REDIS_URL) await expectRedis(config.REDIS_URL);
  const table = new ProcessTable(folder.processTable);
  const surroundings = { logs: folder.logs, table };
  const ports = await choosePorts(folder.ports);

  const chromium = await findOrInstallChromium(env, report);
  report(`Chromium: ${chromium.version}, ${chromium.path}`);
  const [databaseUrl, redisUrl] = await Promise.all([
    providePostgres(parts, surroundings, ports.postgres),
    provideRedis(parts, surroundings, ports.redis),
  ]);
  await prepareDatabase(databaseUrl, config.CONTRACT_FORM, report);

  const port = config.PORT || (await findFreePort());
  const operatorKey = config.OPERATOR_KEY ?? secrets.OPERATOR_KEY;
  const environment = {
    ...env,
    NODE_ENV: 'production',
    PORT: String(port),
    CONTRACT_FORM: config.CONTRACT_FORM,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    STORAGE_URL: config.STORAGE_URL ?? pathToFileURL(folder.files).href,
    SECRET_KEY: config.SECRET_KEY ?? secrets.SECRET_KEY,
    OPERATOR_KEY: operatorKey,
    OPERATOR_KEY_SHA256: createHash('sha256').update(operatorKey).digest('hex'),
    // Each process has a separate port, which the file of targets names.
    METRICS_PORT: '0',
    METRICS_HOST: '127.0.0.1',
    EGRESS_ALLOW: [config.EGRESS_ALLOW, `127.0.0.1/32:${ports.samplePage}`].filter(Boolean).join(','),
    PUPPETEER_EXECUTABLE_PATH: chromium.path,
    SAMPLE_PAGE_PORT: String(ports.samplePage),
  };
  const targets = keepPrometheusTargets(folder.prometheusTargets, `${hostname()}:${port}`);
  targets.set('api-gateway', port);
  await startServices(environment, { ...surroundings, targets }, supervisor, report);
  // Captures also work without the lists, and use them as soon as they are installed.
  void findOrInstallAdLists(env, report);
  void reportMissingFonts(chromium, env, report);
  writePlatformFile(folder.root, { url: `http://localhost:${port}` });
  return {
    port,
    publicUrl: config.PUBLIC_URL,
    operatorKey,
    contractForm: config.CONTRACT_FORM,
    newAccountPlan,
    samplePagePort: ports.samplePage,
    dataDir: folder.root,
  };
}

/** Stops everything that `startPlatform` started. */
export async function stopPlatform({
  folder,
  supervisor,
}: Pick<PlatformParts, 'folder' | 'supervisor'>): Promise<void> {
  removePlatformFile(folder.root);
  rmSync(folder.prometheusTargets, { force: true });
  await supervisor.stop();
}

async function choosePorts(file: string): Promise<Required<OwnPorts>> {
  const before = readPorts(file);
  const ports = {
    postgres: await findFreePort(before.postgres),
    redis: await findFreePort(before.redis),
    samplePage: await findFreePort(before.samplePage),
  };
  writePorts(file, ports);
  return ports;
}

async function providePostgres(
  { config, folder, secrets, supervisor, report }: PlatformParts,
  surroundings: ServerSurroundings,
  port: number,
): Promise<string> {
  if (config.DATABASE_URL) {
    report('PostgreSQL: from DATABASE_URL');
    return config.DATABASE_URL;
  }
  let url = '';
  const options = {
    dataDir: folder.postgres,
    superuserPassword: secrets.POSTGRES_SUPERUSER_PASSWORD,
    password: secrets.POSTGRES_PASSWORD,
    port,
    report,
  };
  const program = postgresProgram(options, surroundings, (server) => {
    if (!url) report(`PostgreSQL: ${server.version} on 127.0.0.1:${server.port}`);
    url = server.url;
  });
  await supervisor.start(program);
  return url;
}

async function provideRedis(
  { config, env, folder, secrets, supervisor, report }: PlatformParts,
  surroundings: ServerSurroundings,
  port: number,
): Promise<string> {
  if (config.REDIS_URL) {
    report('Redis: from REDIS_URL');
    return config.REDIS_URL;
  }
  const executable = await findOrInstallRedis(env, report);
  let url = '';
  const options = { executable, dataDir: folder.redis, password: secrets.REDIS_PASSWORD, port, report };
  const program = redisProgram(options, surroundings, (server) => {
    if (!url) report(`${executable.version} on 127.0.0.1:${server.port}`);
    url = server.url;
  });
  await supervisor.start(program);
  return url;
}

async function prepareDatabase(databaseUrl: string, contractForm: string, report: Report): Promise<void> {
  const applied = await applyMigrations(databaseUrl, { report }).catch((error: Error) => {
    throw new StartError(`The database could not be migrated: ${error.message}`);
  });
  if (applied.length > 0) report(`database: applied ${applied.length} migrations, up to ${applied.at(-1)}`);
  const bound = await bindContractForm(databaseUrl, contractForm);
  if (bound !== contractForm) {
    throw new StartError(
      `The data was created with API profile ${bound}, but CONTRACT_FORM is ${contractForm}: start with CONTRACT_FORM=${bound}, or with another DATA_DIR (or DATABASE_URL).`,
    );
  }
}

const servicesStage = 3;

async function startServices(
  environment: Record<string, string | undefined>,
  { logs, table, targets }: ServerSurroundings & { targets: PrometheusTargets },
  supervisor: Supervisor,
  report: Report,
): Promise<void> {
  const file = (name: ServiceName) =>
    name === 'sample-page' ? builtFile('standalone', 'dist', 'sample-page.js') : builtFile(name, 'dist', 'main.js');
  const logFile = (name: string) => path.join(logs, `${name}.log`);
  const programs = serviceNames.map((name) =>
    serviceProgram({
      name,
      stage: servicesStage,
      file: file(name),
      env: serviceEnvironment(name, environment),
      logFile: logFile(name),
      onStart: (pid) => table.add(name, 'service', pid),
      onEnd: (pid) => table.remove(pid),
      onMetricsPort: (metricsPort) => targets.set(name, metricsPort),
    }),
  );
  followLogs(
    [
      ...serviceNames.map((name) => ({ name, file: logFile(name), show: true })),
      ...['postgres', 'redis'].map((name) => ({ name, file: logFile(name), show: false })),
    ],
    report,
  );
  report(`starting ${serviceNames.join(', ')}`);
  await Promise.all(programs.map((program) => supervisor.start(program)));
}
