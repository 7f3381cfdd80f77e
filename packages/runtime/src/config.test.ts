import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from './config.ts';
import { duration, settings } from './settings.ts';

function faultsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message.split('\n');
  }
  return [];
}

/** Reads the value of a single variable. */
const read = <Name extends keyof typeof settings>(name: Name, value: string | undefined) =>
  (readConfig({ [name]: settings[name] }, { [name]: value }) as Record<string, unknown>)[name];
const faultOf = (name: keyof typeof settings, value: string | undefined) => faultsOf(() => read(name, value));

const secret = '0123456789abcdef0123456789abcdef';

describe('the settings of a process', () => {
  const shape = {
    PORT: settings.PORT,
    DATABASE_URL: settings.DATABASE_URL,
    REDIS_URL: settings.REDIS_URL,
    SECRET_KEY: settings.SECRET_KEY,
    CONTRACT_FORM: settings.CONTRACT_FORM,
    WEBHOOK_RETRY_DELAYS: settings.WEBHOOK_RETRY_DELAYS,
    LOG_LEVEL: settings.LOG_LEVEL,
  };
  const right = {
    DATABASE_URL: 'postgres://capture:pass@localhost:5432/capture',
    REDIS_URL: 'redis://localhost',
    SECRET_KEY: secret,
  };

  it('are plain values, with defaults for missing and empty variables', () => {
    expect(readConfig(shape, { ...right, PORT: '', UNKNOWN: 'x' })).toEqual({
      ...right,
      PORT: 3000,
      CONTRACT_FORM: 'B',
      LOG_LEVEL: 'info',
    });
  });

  it('report all faults at once, one named fault per line', () => {
    const env = { PORT: 'http', DATABASE_URL: '', SECRET_KEY: 'short', CONTRACT_FORM: 'b', WEBHOOK_RETRY_DELAYS: '1s' };
    expect(faultsOf(() => readConfig(shape, env))).toEqual([
      'PORT: must be a whole number from 0 to 65535',
      'DATABASE_URL: is missing',
      'REDIS_URL: is missing',
      'SECRET_KEY: must be at least 32 characters',
      'CONTRACT_FORM: must be A or B',
      'WEBHOOK_RETRY_DELAYS: must be five delays, such as 1s,2s,4s,8s,16s',
    ]);
  });

  it('never repeat a value in a fault', () => {
    for (const name of Object.keys(settings) as (keyof typeof settings)[]) {
      for (const value of ['s3cr3t!', 's3cr3t!,s3cr3t!,s3cr3t!,s3cr3t!,s3cr3t!', 'http://u:s3cr3t!@h h/', '-s3cr3t!']) {
        expect(faultOf(name, value).join('\n')).not.toContain('s3cr3t');
      }
    }
  });
});

describe('each setting', () => {
  it.each([
    ['PORT', '0', 0],
    ['PORT', '65535', 65_535],
    ['PUBLIC_URL', 'https://captures.example.com///', 'https://captures.example.com'],
    ['PUBLIC_URL', '', undefined],
    ['CONTRACT_FORM', 'A', 'A'],
    ['DATABASE_URL', 'postgresql://localhost/x', 'postgresql://localhost/x'],
    ['REDIS_URL', 'rediss://:pw@redis.example.com:6380/1', 'rediss://:pw@redis.example.com:6380/1'],
    ['STORAGE_URL', 'file:///var/lib/capture', 'file:///var/lib/capture'],
    ['STORAGE_URL', 's3://bucket?region=eu', 's3://bucket?region=eu'],
    [
      'SMTP_URL',
      'smtps://ada%40acme.test:p%2Fw@mail.acme.test:465',
      'smtps://ada%40acme.test:p%2Fw@mail.acme.test:465',
    ],
    ['SMTP_URL', 'smtp://[::1]:25?tls=off', 'smtp://[::1]:25?tls=off'],
    ['SMTP_URL', undefined, undefined],
    ['MAIL_FROM', 'no-reply@acme.test', 'no-reply@acme.test'],
    ['MAIL_FROM', 'Zoë & co <no-reply@acme.test>', 'Zoë & co <no-reply@acme.test>'],
    ['SECRET_KEY', secret, secret],
    ['SECRET_KEY_PREVIOUS', undefined, undefined],
    ['EGRESS_ALLOW', undefined, ''],
    ['USER_AGENT', 'Mozilla/5.0 (compatible; Captures/1.0)', 'Mozilla/5.0 (compatible; Captures/1.0)'],
    ['USER_AGENT', undefined, undefined],
    ['TRUST_PROXY', undefined, false],
    ['TRUST_PROXY', '2', 2],
    ['TRUST_PROXY', '10.0.0.0/8, 127.0.0.1,fd00::/8', ['10.0.0.0/8', '127.0.0.1', 'fd00::/8']],
    ['REGISTRATIONS_PER_HOUR', undefined, 20],
    ['CAPTURE_CONCURRENCY', '8', 8],
    ['CAPTURE_CONCURRENCY', undefined, undefined],
    ['AD_LISTS_DIR', '/srv/lists', '/srv/lists'],
    ['AD_LISTS_DIR', undefined, undefined],
    ['WEBHOOK_RETRY_DELAYS', '1s, 2m,4h,250ms,5', [1_000, 120_000, 14_400_000, 250, 5]],
    ['WEBHOOK_RETRY_DELAYS', undefined, undefined],
    ['WEBHOOK_TIMEOUT_MS', '100', 100],
    ['CAPTURE_RETENTION_DAYS', undefined, 90],
    ['DELIVERY_RETENTION_DAYS', '365', 365],
    ['LOG_LEVEL', 'silent', 'silent'],
  ] as const)('%s=%s', (name, text, value) => {
    expect(read(name, text)).toEqual(value);
  });

  it.each([
    ['PORT', '65536', 'must be at most 65535'],
    ['PORT', '-1', 'must be a whole number from 0 to 65535'],
    ['PORT', '3000.5', 'must be a whole number from 0 to 65535'],
    ['PUBLIC_URL', 'captures.example.com', 'must be a URL that begins with http:// or https://'],
    ['PUBLIC_URL', 'ftp://captures.example.com', 'must be a URL that begins with http:// or https://'],
    ['DATABASE_URL', 'mysql://localhost/x', 'must be a URL that begins with postgres:// or postgresql://'],
    ['REDIS_URL', 'localhost:6379', 'must be a URL that begins with redis:// or rediss://'],
    ['STORAGE_URL', '/var/lib', 'must be a URL that begins with file:// or s3://'],
    ['SMTP_URL', 'mail.acme.test:25', 'must be a URL that begins with smtp:// or smtps://'],
    ['SMTP_URL', 'smtp://', 'must be like smtps://user:password@mail.example.com:465'],
    ['SMTP_URL', 'smtp://mail.acme.test/inbox', 'must be like smtps://user:password@mail.example.com:465'],
    ['SMTP_URL', 'smtp://mail.acme.test?secure=false', 'may have one parameter, ?tls=off after smtp://…'],
    ['SMTP_URL', 'smtps://mail.acme.test?tls=off', 'may have one parameter, ?tls=off after smtp://…'],
    ['SMTP_URL', 'smtp://a:b@mail.acme.test?tls=off', 'must not send a password without TLS'],
    ['SMTP_URL', 'smtp://a:%zz@mail.acme.test', 'must have its user name and password percent-encoded'],
    [
      'MAIL_FROM',
      'a@acme.test\r\nBcc: b@acme.test',
      'must be like no-reply@example.com or Capture platform <no-reply@example.com>',
    ],
    [
      'MAIL_FROM',
      'a@acme.test, b@acme.test',
      'must be like no-reply@example.com or Capture platform <no-reply@example.com>',
    ],
    ['SECRET_KEY', secret.slice(1), 'must be at least 32 characters'],
    ['OPERATOR_KEY', undefined, 'is missing'],
    ['TRUST_PROXY', 'true', 'must be a number of proxies, or addresses and CIDRs with commas'],
    ['TRUST_PROXY', '10.0.0.0/33', 'must be a number of proxies, or addresses and CIDRs with commas'],
    ['TRUST_PROXY', '10.0.0.0/8,', 'must be a number of proxies, or addresses and CIDRs with commas'],
    ['USER_AGENT', 'Robot/1.0\r\nX-A: b', 'must be printable ASCII without spaces around it'],
    ['USER_AGENT', 'x'.repeat(1_025), 'must be at most 1024 characters'],
    ['REGISTRATIONS_PER_HOUR', '0', 'must be at least 1'],
    ['WEBHOOK_TIMEOUT_MS', '99', 'must be at least 100'],
    ['DELIVERY_RETENTION_DAYS', '29', 'must be at least 30'],
    ['CAPTURE_RETENTION_DAYS', '6', 'must be at least 7'],
    ['WEBHOOK_RETRY_DELAYS', '1s,2s,4s,8s,16s,32s', 'must be five delays, such as 1s,2s,4s,8s,16s'],
  ] as const)('%s=%s is refused', (name, text, fault) => {
    expect(faultOf(name, text)).toEqual([`${name}: ${fault}`]);
  });

  it('a delay in a list is named by its index', () => {
    expect(faultOf('WEBHOOK_RETRY_DELAYS', '1s,2s,x,8s,16s')).toEqual([
      'WEBHOOK_RETRY_DELAYS.2: must be a duration such as 250ms, 30s, 2m or 4h',
    ]);
  });
});

describe('a duration', () => {
  it.each([
    ['0', 0],
    ['250', 250],
    ['250ms', 250],
    ['30s', 30_000],
    ['1.5s', 1_500],
    ['2m', 120_000],
    ['4h', 14_400_000],
    [' 1s ', 1_000],
    ['168h', 604_800_000],
  ])('%j is %d ms', (text, ms) => {
    expect(duration.parse(text)).toBe(ms);
  });

  it.each(['', 's', '-1s', '1 s', '1S', '1d', '1e3', '.5s', '1s2', '169h', '9'.repeat(400)])(
    '%.20j is not a duration',
    (text) => {
      expect(duration.safeParse(text).success).toBe(false);
    },
  );
});
