import { oldestRedis } from '@capture/provisioning/redis';
import { Redis } from 'ioredis';
import { hostOf } from '../host-of.ts';
import { CannotCheck, fault, group, ok, required, warning } from './check.ts';

interface Subject {
  client: Redis;
  host: string;
  /** The output of `INFO`, because managed servers refuse `CONFIG`. */
  info: Readonly<Record<string, string>>;
}

export const redis = group<Subject>({
  name: 'redis',
  async open({ redis: known }) {
    const url = required(known);
    const host = hostOf(url);
    if (!URL.canParse(url)) throw new CannotCheck(fault('REDIS_URL is not a URL', 'correct it'));
    const client = new Redis(url, {
      lazyConnect: true,
      retryStrategy: () => null,
      connectTimeout: 10_000,
      commandTimeout: 10_000,
    });
    // The error event has the reason; the rejected call only says that the connection is closed.
    let reason: Error | undefined;
    client.on('error', (error: Error) => {
      reason = error;
    });
    try {
      await client.connect();
      return { client, host, info: parseInfo(await client.info()) };
    } catch (error) {
      client.disconnect();
      const fix = 'start the server, or correct REDIS_URL; until then captures wait, and nothing is lost';
      throw new CannotCheck(fault(`${host} does not respond: ${(reason ?? (error as Error)).message}`, fix));
    }
  },
  close: ({ client }) => client.disconnect(),
  checks: [
    {
      name: 'reachable',
      about: 'the server of REDIS_URL responds',
      run: ({ host }) => ok(`${host} responds`),
    },
    {
      name: 'version',
      about: 'Redis or Valkey is new enough for the queue',
      run({ info }) {
        const version = info.valkey_version ?? info.redis_version ?? '';
        const [major = 0, minor = 0] = version.split('.').map(Number);
        const [oldest, oldestMinor] = oldestRedis;
        const message = `${info.valkey_version ? 'Valkey' : 'Redis'} ${version}`;
        const isEnough = major > oldest || (major === oldest && minor >= oldestMinor);
        return isEnough ? ok(message) : fault(message, `use ${oldestRedis.join('.')} or later`);
      },
    },
    {
      name: 'role',
      about: 'Redis accepts writes',
      run({ info }) {
        if (info.role === 'master') return ok('it is the primary');
        return fault(`it is a ${info.role}`, 'set REDIS_URL to the primary');
      },
    },
    {
      name: 'eviction',
      about: 'Redis refuses writes when it is full, instead of evicting jobs',
      run({ info }) {
        const policy = info.maxmemory_policy ?? 'unknown';
        if (policy === 'noeviction') return ok('maxmemory-policy is noeviction');
        return fault(`maxmemory-policy is ${policy}`, 'CONFIG SET maxmemory-policy noeviction, and in redis.conf');
      },
    },
    {
      name: 'evicted_keys',
      about: 'no key was evicted since Redis started',
      run({ info }) {
        const evicted = Number(info.evicted_keys ?? 0);
        if (evicted === 0) return ok('none');
        return warning(
          `${evicted} were evicted`,
          'set noeviction; lost jobs are restored from Postgres within seconds',
        );
      },
    },
    {
      name: 'persistence',
      about: 'jobs survive a restart of Redis',
      run({ info }) {
        if (info.aof_enabled === '1' && info.aof_last_write_status !== 'ok') {
          return fault(
            'the append-only file cannot be written',
            'check its disk: Redis refuses writes when it is full',
          );
        }
        if (info.aof_enabled === '1') return ok('appendonly is on');
        return warning(
          'appendonly is off',
          'CONFIG SET appendonly yes: otherwise each restart delays captures by some 15 s',
        );
      },
    },
    {
      name: 'memory',
      about: 'Redis has free memory',
      run({ info }) {
        const [used, most] = [Number(info.used_memory), Number(info.maxmemory)];
        const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_048_576)} MB`;
        if (!most) return ok(`${megabytes(used)}, no limit`);
        const message = `${megabytes(used)} of ${megabytes(most)}`;
        const fix = 'raise maxmemory: a full Redis queues no captures';
        if (used > most * 0.95) return fault(message, fix);
        return used > most * 0.8 ? warning(message, fix) : ok(message);
      },
    },
  ],
});

function parseInfo(text: string): Record<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}
