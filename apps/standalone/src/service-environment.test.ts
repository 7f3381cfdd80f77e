import { settings } from '@capture/runtime/settings';
import { describe, expect, it } from '@jest/globals';
import { type ServiceName, serviceEnvironment, serviceNames } from './service-environment.ts';

const given = Object.fromEntries(
  ['PATH', 'PORT', 'DATABASE_URL', 'SECRET_KEY', 'OPERATOR_KEY', 'PUPPETEER_EXECUTABLE_PATH', 'SAMPLE_PAGE_PORT']
    .concat(['POSTGRES_SUPERUSER_PASSWORD', 'GITHUB_TOKEN', 'NODE_OPTIONS', 'TRUST_PROXY'])
    .map((name) => [name, `the ${name}`]),
);

describe('what a process is told', () => {
  it('holds the operator key for the gateway alone', () => {
    const holders = serviceNames.filter((name) => 'OPERATOR_KEY' in serviceEnvironment(name, given));
    expect(holders).toEqual(['api-gateway']);
  });

  it('lets those that serve metrics recognise that key, which they do not know', () => {
    const digest = { OPERATOR_KEY_SHA256: 'the digest' };
    const holders = serviceNames.filter((name) => 'OPERATOR_KEY_SHA256' in serviceEnvironment(name, digest));
    expect(holders).toEqual(['capture-worker', 'webhook-dispatcher']);
  });

  it('holds nothing that no service asked for', () => {
    for (const name of serviceNames) {
      const environment = serviceEnvironment(name, given);
      expect(environment).not.toHaveProperty('GITHUB_TOKEN');
      expect(environment).not.toHaveProperty('POSTGRES_SUPERUSER_PASSWORD');
    }
  });

  it('holds no secret for the sample page', () => {
    expect(serviceEnvironment('sample-page', given)).toEqual({
      PATH: 'the PATH',
      SAMPLE_PAGE_PORT: 'the SAMPLE_PAGE_PORT',
    });
  });

  it('leaves no setting unread', () => {
    for (const name of Object.keys(settings)) {
      const readers = serviceNames.filter((service) => name in serviceEnvironment(service, { [name]: 'set' }));
      expect({ name, readers }).toEqual({ name, readers: expect.arrayContaining([expect.any(String)]) });
    }
  });

  it('holds threads for more look-ups of dead names than anybody has, where names are looked up', () => {
    const threads = (service: ServiceName, set = {}) => serviceEnvironment(service, set).UV_THREADPOOL_SIZE;
    expect(serviceNames.map((name) => threads(name))).toEqual(['128', '128', '128', undefined]);
    expect(threads('webhook-dispatcher', { UV_THREADPOOL_SIZE: '16' })).toBe('16');
  });

  it('leaves out what is empty', () => {
    const environment = serviceEnvironment('api-gateway', { PORT: '3000', TRUST_PROXY: '' });
    expect(environment).toMatchObject({ PORT: '3000' });
    expect(environment).not.toHaveProperty('TRUST_PROXY');
  });
});
