import { canInstallPackages, disableService, installPackages } from './debian-packages.ts';
import { ProvisioningError, type Report } from './provisioning-error.ts';
import { findRedis, type RedisExecutable } from './redis.ts';

/**
 * Finds the machine's Redis or Valkey, or installs Redis with apt as root on Debian.
 *
 * @throws {ProvisioningError} that says what to install.
 */
export async function findOrInstallRedis(
  env: Record<string, string | undefined>,
  report: Report,
): Promise<RedisExecutable> {
  const found = await findRedis(env);
  if (found) return found;
  let reason = '';
  if (canInstallPackages()) {
    report('Redis: not found on this machine');
    const fault = await installPackages(['redis-server'], env, report);
    await disableService('redis-server');
    const installed = await findRedis(env);
    if (installed) return installed;
    reason = ` (apt-get: ${fault ?? 'the packaged Redis is older than 6.2'})`;
  }
  throw new ProvisioningError(
    `No Redis 6.2 or later, nor Valkey, was found${reason}: install one (\`apt-get install redis-server\`, \`dnf install valkey\`, \`apk add redis\`, \`brew install redis\`) or set REDIS_URL.`,
  );
}
