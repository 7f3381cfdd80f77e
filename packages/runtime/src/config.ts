import { z } from 'zod';

/** What is wrong with a process's settings: one line a fault, each naming its variable. Values are never repeated. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads a process's settings from its environment, once, at the edge. An empty variable counts as not set, as in
 * `docker-compose.yml` where `${NAME:-}` leaves one behind.
 *
 * @param shape one zod schema a variable; what it returns is a plain typed value.
 * @throws {ConfigError} that lists every fault, not only the first.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: Record<string, string | undefined>,
): z.output<z.ZodObject<Shape>> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(shape)) {
    const value = env[name];
    if (value !== undefined && value !== '') given[name] = value;
  }
  const result = z.object(shape).safeParse(given);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(faults.join('\n'));
}
