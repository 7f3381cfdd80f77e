import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { StartError } from './start-error.ts';

const shape = z.object({
  SECRET_KEY: z.string().min(32),
  OPERATOR_KEY: z.string().min(32),
  POSTGRES_SUPERUSER_PASSWORD: z.string().min(32),
  POSTGRES_PASSWORD: z.string().min(32),
  REDIS_PASSWORD: z.string().min(32),
});

/** The secrets of one installation, by name. */
export type Secrets = z.infer<typeof shape>;

/**
 * Loads the secrets of a data folder from `secrets.json` (0600). The first start generates them and later starts read them. The
 * data is lost without them, so the file is flushed to disk before they are used.
 *
 * @throws {StartError} if the file has other content; the file is never overwritten.
 */
export function loadSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  const text = read(file);
  if (text === null) return create(file);
  const stored = shape.safeParse(parse(text));
  if (stored.success) return stored.data;
  throw new StartError(`${file} does not hold this installation's secrets: restore it, or choose another DATA_DIR.`);
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new StartError(`${file} cannot be read (${code}): start the platform as the user who owns it.`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function create(file: string): Secrets {
  // A secret has 43 characters of 64, so 256 bits.
  const generate = () => randomBytes(32).toString('base64url');
  const secrets: Secrets = {
    SECRET_KEY: generate(),
    OPERATOR_KEY: generate(),
    POSTGRES_SUPERUSER_PASSWORD: generate(),
    POSTGRES_PASSWORD: generate(),
    REDIS_PASSWORD: generate(),
  };
  const descriptor = openSync(`${file}.new`, 'w', 0o600);
  writeSync(descriptor, `${JSON.stringify(secrets, null, 2)}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(`${file}.new`, file);
  return secrets;
}
