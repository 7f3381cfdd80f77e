import path from 'node:path';
import { parseAddressRules } from '@capture/egress/address-rules';
import { ConfigError, readConfig } from '@capture/runtime/config';
import { settings } from '@capture/runtime/settings';
import { z } from 'zod';
import { repositoryRoot } from './repository.ts';

/** Checks EGRESS_ALLOW or EGRESS_DENY with the parser that the services use. */
const addressEntries = (name: 'allow' | 'deny') =>
  z
    .string()
    .default('')
    .superRefine((text, context) => {
      try {
        parseAddressRules({ [name]: text });
      } catch (error) {
        // The message begins with the variable's name, which `readConfig` adds again.
        context.addIssue({ code: 'custom', message: (error as Error).message.replace(/^EGRESS_\w+: /, '') });
      }
    });

const shape = {
  ...settings,
  DATABASE_URL: settings.DATABASE_URL.optional(),
  REDIS_URL: settings.REDIS_URL.optional(),
  STORAGE_URL: settings.STORAGE_URL.optional(),
  SECRET_KEY: settings.SECRET_KEY.optional(),
  OPERATOR_KEY: settings.OPERATOR_KEY.optional(),
  EGRESS_PROXY_TOKEN: settings.EGRESS_PROXY_TOKEN.optional(),
  EGRESS_ALLOW: addressEntries('allow'),
  EGRESS_DENY: addressEntries('deny'),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((folder) => path.resolve(repositoryRoot, folder)),
};

/**
 * Reads the settings of `npm start`. Also checks every setting that a service will read, so that all faults are reported at once,
 * before any process starts.
 *
 * @throws {ConfigError} with one line per fault.
 */
export function readConfiguration(env: Record<string, string | undefined>) {
  return readConfig(shape, env);
}

export type Configuration = ReturnType<typeof readConfiguration>;
export { ConfigError };
