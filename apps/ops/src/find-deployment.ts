import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { platformUrl } from '@capture/provisioning/postgres';
import { redisUrl } from '@capture/provisioning/redis';
import { findPlatform, type Platform } from './find-platform.ts';

/** A value that may be known in this shell, or why it is not. */
export type Known<Value = string> = { value: Value } | { missing: string };

/** The parts of a deployment that the environment variables and `DATA_DIR` name. */
export interface Deployment {
  env: Record<string, string | undefined>;
  dataDir: Known;
  /** The passwords of the data folder's Postgres. */
  postgresPasswords: Known<{ superuserPassword: string; password: string }>;
  database: Known;
  redis: Known;
  storage: Known;
  secretKey: Known;
  platform: Known<Platform>;
}

/**
 * Finds the parts of a deployment: each by its environment variable, as the services read it, or else in the data folder of `npm
 * start`, which contains servers, files and secrets.
 */
export function findDeployment(env: Record<string, string | undefined>): Deployment {
  const dataDir = path.resolve(env.DATA_DIR || '.data');
  const secrets = readJson(path.join(dataDir, 'secrets.json'));
  const ports = readJson(path.join(dataDir, 'run', 'ports.json'));
  const inFolder = (name: string, value: string | null): Known =>
    value === null
      ? { missing: `${name} is not set, and ${dataDir} is not a data folder of \`npm start\` that has it` }
      : { value };
  // The port of a server that was never started is not known.
  const own = (server: 'postgres' | 'redis') => existsSync(path.join(dataDir, server)) && Number(ports?.[server]) > 0;
  const known = (name: string, fallback: () => string | null): Known =>
    env[name] ? { value: env[name] } : inFolder(name, fallback());
  return {
    env,
    dataDir: secrets
      ? { value: dataDir }
      : { missing: `${dataDir} is not a data folder of \`npm start\`: set DATA_DIR` },
    postgresPasswords: secrets
      ? {
          value: {
            superuserPassword: text(secrets, 'POSTGRES_SUPERUSER_PASSWORD'),
            password: text(secrets, 'POSTGRES_PASSWORD'),
          },
        }
      : { missing: `${path.join(dataDir, 'secrets.json')} does not exist` },
    database: known('DATABASE_URL', () =>
      own('postgres') ? platformUrl(text(secrets, 'POSTGRES_PASSWORD'), Number(ports?.postgres)) : null,
    ),
    redis: known('REDIS_URL', () =>
      own('redis') ? redisUrl(text(secrets, 'REDIS_PASSWORD'), Number(ports?.redis)) : null,
    ),
    storage: known('STORAGE_URL', () => (secrets ? pathToFileURL(path.join(dataDir, 'files')).href : null)),
    secretKey: known('SECRET_KEY', () => text(secrets, 'SECRET_KEY') || null),
    platform: knownPlatform(env),
  };
}

function knownPlatform(env: Record<string, string | undefined>): Known<Platform> {
  try {
    return { value: findPlatform(env) };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

function readJson(file: string): Record<string, unknown> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function text(values: Record<string, unknown> | null, name: string): string {
  const value = values?.[name];
  return typeof value === 'string' ? value : '';
}
