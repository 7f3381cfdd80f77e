import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serviceSettings } from '@capture/runtime/service-settings';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { builtFiles, documentedSettings, readText, repositoryRoot, targetsOf } from './repository.test-support.ts';

interface Service {
  image: string;
  build?: { target: string };
  command?: string[];
  environment?: Record<string, string>;
  networks: string[];
  restart: string;
  read_only?: boolean;
  mem_limit?: string;
  cpu_shares?: number;
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: object;
  depends_on?: Record<string, { condition: string }>;
}

const file: { services: Record<string, Service>; networks: Record<string, { internal?: boolean } | null> } = parse(
  readText('docker-compose.yml'),
  { merge: true },
);
const services = Object.entries(file.services);
const ours = services.filter(([, { build }]) => build);
const processes = ['api-gateway', 'capture-worker', 'webhook-dispatcher', 'egress-proxy'] as const;

describe('docker-compose.yml', () => {
  it.each(services)('%s: sets memory limit, restart policy and health check', (_name, service) => {
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.image).toMatch(service.build ? /^capture-platform\/[a-z-]+$/ : /^[a-z/]+:v?\d/);
    // One-off containers have no health check.
    expect(service.restart === 'no' ? service.healthcheck : typeof service.healthcheck).toBe(
      service.restart === 'no' ? undefined : 'object',
    );
  });

  it.each(ours)('%s: runs without privileges', (name, service) => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(targetsOf('Dockerfile')).toContain(service.build?.target);
    const { command } = service;
    if (command) expect(builtFiles()).toContain(command.at(-1));
    expect(name === 'bucket' || service.build?.target === name).toBe(true);
  });

  it.each(ours)('%s: uses documented settings only', (_name, { environment = {} }) => {
    for (const setting of Object.keys(environment)) expect(documentedSettings()).toContain(setting);
  });

  it.each(processes)('%s: gets all settings that it reads', (name) => {
    const passed = Object.keys(file.services[name]?.environment ?? {});
    const missing = ['LOG_LEVEL', ...Object.keys(serviceSettings[name])].filter((setting) => !passed.includes(setting));
    // The exceptions are a fixed port, and the operator key: processes that only check the key get its digest.
    expect(missing.filter((setting) => setting !== 'EGRESS_PROXY_PORT' && setting !== 'OPERATOR_KEY')).toEqual([]);
  });

  it('gives only workers a smaller share of busy processors', () => {
    const shares = services.filter(([, { cpu_shares }]) => cpu_shares !== undefined);
    expect(shares.map(([name, { cpu_shares }]) => [name, cpu_shares])).toEqual([['capture-worker', 256]]);
  });

  it('gives the worker no egress but the egress proxy', () => {
    const { networks } = file.services['capture-worker']!;
    expect(networks.length).toBeGreaterThan(0);
    for (const name of networks) expect(file.networks[name]).toEqual({ internal: true });
    const shared = file.services['egress-proxy']!.networks.filter((name) => networks.includes(name));
    expect(shared).toEqual(['guard']);
    expect(file.services['egress-proxy']!.environment).not.toHaveProperty('DATABASE_URL');
    expect(file.services['egress-proxy']!.environment).not.toHaveProperty('SECRET_KEY');
  });

  it('gives Chromium a seccomp profile that allows its sandbox', () => {
    const option = file.services['capture-worker']!.security_opt?.find((each) => each.startsWith('seccomp='));
    const profile = JSON.parse(readFileSync(path.join(repositoryRoot, option!.slice('seccomp='.length)), 'utf8'));
    const refused = profile.syscalls.flatMap(({ names }: { names: string[] }) => names);
    expect(profile.defaultAction).toBe('SCMP_ACT_ALLOW');
    for (const needed of ['clone', 'clone3', 'unshare', 'chroot', 'seccomp']) expect(refused).not.toContain(needed);
    for (const dangerous of ['mount', 'ptrace', 'bpf', 'kexec_load', 'init_module'])
      expect(refused).toContain(dangerous);
  });

  it('starts each service after its dependencies', () => {
    for (const [, { depends_on: needs = {} }] of services) {
      for (const [name, { condition }] of Object.entries(needs)) {
        const finishes = file.services[name]?.restart === 'no';
        expect(condition).toBe(finishes ? 'service_completed_successfully' : 'service_healthy');
      }
    }
  });
});

describe('the Dockerfile', () => {
  it('installs the packages of every program in the images, also of the operator command line', () => {
    const installed = [...readText('Dockerfile').matchAll(/npm ci --omit=dev (.+)$/gm)].map(([, names]) => names);
    expect(installed).toHaveLength(2);
    for (const app of ['api-gateway', 'capture-worker', 'webhook-dispatcher', 'ops'])
      expect(installed[0]!.split(' ')).toContain(`apps/${app}`);
  });

  it('runs built files as an unprivileged user', () => {
    const text = readText('Dockerfile');
    const commands = [...text.matchAll(/^CMD \["node", "([^"]+)"\]$/gm)].map(([, program]) => program!);
    expect(commands).toHaveLength(5);
    for (const program of commands) expect(builtFiles()).toContain(program);
    expect([...text.matchAll(/^USER (.+)$/gm)].map(([, user]) => user)).toEqual(['1000:1000', 'root', '1000:1000']);
  });

  it('installs the fonts that npm start installs', () => {
    const provisioning = readText('packages/provisioning/src/install-fonts.ts');
    const fonts = [...(/const fonts = \[([^\]]+)\]/.exec(provisioning)?.[1] ?? '').matchAll(/'([^']+)'/g)];
    expect(fonts.length).toBeGreaterThan(2);
    for (const [, font = ''] of fonts) expect(readText('Dockerfile').split(/\s+/)).toContain(font);
  });
});
