import { serviceSettings, tracingSettings } from '@capture/runtime/service-settings';
import { settings } from '@capture/runtime/settings';
import { describe, expect, it } from '@jest/globals';
import { type ServiceName, serviceEnvironment, serviceNames } from './service-environment.ts';

const env = Object.fromEntries(
  ['PATH', 'PORT', 'DATABASE_URL', 'SECRET_KEY', 'OPERATOR_KEY', 'PUPPETEER_EXECUTABLE_PATH', 'SAMPLE_PAGE_PORT']
    .concat(['POSTGRES_SUPERUSER_PASSWORD', 'GITHUB_TOKEN', 'NODE_OPTIONS', 'TRUST_PROXY'])
    .map((name) => [name, `the ${name}`]),
);

/** A value for every setting of any service. */
const everySetting = Object.fromEntries(
  Object.values({ ...serviceSettings, tracingSettings, LOG_LEVEL: { LOG_LEVEL: settings.LOG_LEVEL } })
    .flatMap((shape) => Object.keys(shape))
    .map((name) => [name, 'set']),
);

describe("a service's environment", () => {
  it('holds the operator key for the gateway only', () => {
    const holders = serviceNames.filter((name) => 'OPERATOR_KEY' in serviceEnvironment(name, env));
    expect(holders).toEqual(['api-gateway']);
  });

  it('holds the digest of the operator key for services that serve metrics', () => {
    const digest = { OPERATOR_KEY_SHA256: 'the digest' };
    const holders = serviceNames.filter((name) => 'OPERATOR_KEY_SHA256' in serviceEnvironment(name, digest));
    expect(holders).toEqual(['capture-worker', 'webhook-dispatcher']);
  });

  it.each(serviceNames)('contains exactly the settings that the %s declares', (name) => {
    const received = Object.keys(serviceEnvironment(name, everySetting));
    const declared = Object.keys(serviceSettings[name]).filter(
      (setting) => setting !== 'OPERATOR_KEY' || name === 'api-gateway',
    );
    const ofLibraries = ['UV_THREADPOOL_SIZE', 'MALLOC_ARENA_MAX'];
    const shared = name === 'sample-page' ? [] : [...Object.keys(tracingSettings), ...ofLibraries];
    expect(received.sort()).toEqual([...declared, ...shared, 'LOG_LEVEL'].sort());
  });

  it('contains no variable that no service declares', () => {
    for (const name of serviceNames) {
      const environment = serviceEnvironment(name, env);
      expect(environment).not.toHaveProperty('GITHUB_TOKEN');
      expect(environment).not.toHaveProperty('POSTGRES_SUPERUSER_PASSWORD');
    }
  });

  it('holds no secret for the sample page', () => {
    expect(serviceEnvironment('sample-page', env)).toEqual({
      PATH: 'the PATH',
      SAMPLE_PAGE_PORT: 'the SAMPLE_PAGE_PORT',
    });
  });

  it('passes every setting to some service', () => {
    for (const name of Object.keys(settings)) {
      const readers = serviceNames.filter((service) => name in serviceEnvironment(service, { [name]: 'set' }));
      expect({ name, readers }).toEqual({ name, readers: expect.arrayContaining([expect.any(String)]) });
    }
  });

  it('raises the number of look-up threads in services that look up names', () => {
    const threads = (service: ServiceName, set = {}) => serviceEnvironment(service, set).UV_THREADPOOL_SIZE;
    expect(serviceNames.map((name) => threads(name))).toEqual(['128', '128', '128', undefined]);
    expect(threads('webhook-dispatcher', { UV_THREADPOOL_SIZE: '16' })).toBe('16');
  });

  it('leaves out empty variables', () => {
    const environment = serviceEnvironment('api-gateway', { PORT: '3000', TRUST_PROXY: '' });
    expect(environment).toMatchObject({ PORT: '3000' });
    expect(environment).not.toHaveProperty('TRUST_PROXY');
  });
});
