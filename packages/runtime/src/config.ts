import { z } from 'zod';

/** The faults in a process's settings, one line per fault, which names its variable. The message never contains values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads a process's settings from its environment, once, at startup. An empty variable counts as not set, because `${NAME:-}` in
 * `docker-compose.yml` sets an empty value.
 *
 * @param shape a zod schema for each variable.
 * @throws {ConfigError} that lists all faults.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: Record<string, string | undefined>,
): z.output<z.ZodObject<Shape>> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(shape)) {
    const value = env[name];
    if (value !== undefined && value !== '') values[name] = value;
  }
  const result = z.object(shape).safeParse(values);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(faults.join('\n'));
}
