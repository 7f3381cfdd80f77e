import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readPlatformFile } from '@capture/provisioning/platform-file';
import { UsageError } from './exit-codes.ts';

/** Where the platform's operator API is, and the key to it. */
export interface Platform {
  baseUrl: string;
  operatorKey: string;
}

/**
 * Finds the platform as `npm start` left it: through the same variables, and through `DATA_DIR`, where its address and
 * the generated operator key are kept.
 */
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
    // Whatever is wrong with the file, what helps is the same.
  }
  throw new UsageError(
    `there is no operator key: set OPERATOR_KEY, or DATA_DIR to the platform's data folder (${file})`,
  );
}
