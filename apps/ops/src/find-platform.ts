import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readPlatformFile } from '@capture/provisioning/platform-file';
import { UsageError } from './exit-codes.ts';

/** The URL of the operator API and its key. */
export interface Platform {
  baseUrl: string;
  operatorKey: string;
}

/** Finds the platform by the variables of `npm start`, or by `DATA_DIR`, which contains its URL and the operator key. */
export function findPlatform(env: Record<string, string | undefined>): Platform {
  const dataDir = path.resolve(env.DATA_DIR || '.data');
  const onThisMachine = env.PORT ? `http://127.0.0.1:${env.PORT}` : readPlatformFile(dataDir)?.url;
  const baseUrl = env.PUBLIC_URL || onThisMachine || 'http://127.0.0.1:3000';
  if (!URL.canParse(baseUrl)) throw new UsageError('PUBLIC_URL is not a URL');
  const operatorKey = env.OPERATOR_KEY || readOperatorKey(dataDir);
  return { baseUrl: baseUrl.replace(/\/+$/, ''), operatorKey };
}

function readOperatorKey(dataDir: string): string {
  const file = path.join(dataDir, 'secrets.json');
  try {
    const { OPERATOR_KEY: key } = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof key === 'string' && key !== '') return key;
  } catch {
    // The remedy is the same for every problem of the file.
  }
  throw new UsageError(`no operator key: set OPERATOR_KEY, or DATA_DIR to the platform's data folder (${file})`);
}
