import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Namespace, type PodSpec, Service, ServiceAccount } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { documentedSettings, readText, repositoryRoot, targetsOf } from './repository.test-support.ts';

const folder = 'deploy/kubernetes';
const models = [
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Namespace,
  Service,
  ServiceAccount,
  keda.ScaledObject,
  keda.TriggerAuthentication,
];

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own, and its model checks it.
  spec: any;
}

const kustomizations = ['base', 'keda', 'example'].map((name) => path.join(folder, name));
const resources = kustomizations.flatMap((place) => resourcesOf(place));

describe('deploy/kubernetes', () => {
  it.each(resources.map((resource) => [`${resource.kind} ${resource.metadata.name}`, resource] as const))(
    '%s is as its schema says',
    (_name, resource) => {
      const model = models.find(({ apiVersion, kind }) => apiVersion === resource.apiVersion && kind === resource.kind);
      expect(model).toBeDefined();
      // biome-ignore lint/suspicious/noExplicitAny: the model checks whatever the file contains.
      expect(() => new model!(resource as any).validate()).not.toThrow();
    },
  );

  it('names every file', () => {
    for (const place of kustomizations) {
      const files = readdirSync(path.join(repositoryRoot, place)).filter((file) => file.endsWith('.yaml'));
      const { resources: named, configurations = [] } = parse(readText(path.join(place, 'kustomization.yaml')));
      const listed = [...named, ...configurations, 'kustomization.yaml'].filter((name: string) =>
        name.endsWith('.yaml'),
      );
      expect(listed.sort()).toEqual(files.sort());
    }
  });

  it.each(podsOf(resources))('%s: runs without privileges', (name, pod: PodSpec) => {
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(pod.securityContext?.seccompProfile?.type).toBe(name === 'capture-worker' ? 'Localhost' : 'RuntimeDefault');
    for (const { image, securityContext, resources: needs } of pod.containers) {
      expect(targetsOf('Dockerfile')).toContain(image?.replace('capture-platform/', ''));
      expect(securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(needs?.limits).toHaveProperty('memory');
      expect(needs?.requests).toMatchObject({ cpu: expect.anything(), memory: expect.anything() });
    }
  });

  it('gives each service more time to stop than its drain takes', () => {
    const drainS = 20;
    for (const [name, { terminationGracePeriodSeconds }] of podsOf(resources)) {
      if (name !== 'migrate') expect(terminationGracePeriodSeconds).toBeGreaterThan(drainS);
    }
  });

  it('lets the worker reach only the egress proxy, Postgres, Redis and the store', () => {
    const policies = resources.filter(({ kind }) => kind === 'NetworkPolicy');
    const worker = policies.find(({ metadata }) => metadata.name === 'capture-worker');
    expect(worker?.spec.egress).toEqual([
      { to: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'egress-proxy' } } }] },
    ]);
    expect(policies.find(({ metadata }) => metadata.name === 'closed')?.spec.podSelector).toEqual({});
    const outside = policies.filter(({ spec }) => JSON.stringify(spec.egress ?? []).includes('0.0.0.0/0'));
    expect(outside.map(({ metadata }) => metadata.name).sort()).toEqual([
      'api-gateway',
      'egress-proxy',
      'webhook-dispatcher',
    ]);
    for (const { spec } of outside) {
      expect(spec.egress[0].to[0].ipBlock.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']));
    }
  });

  it('uses documented settings only', () => {
    const { configMapGenerator } = parse(readText(`${folder}/example/kustomization.yaml`));
    const secrets = readText(`${folder}/example/secrets.env`)
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line));
    const literals: string[] = [
      ...configMapGenerator.flatMap(({ literals }: { literals: string[] }) => literals),
      ...secrets,
    ];
    const names = literals.map((literal) => literal.slice(0, literal.indexOf('=')));
    const own = podsOf(resources).flatMap(([, { containers }]) =>
      containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
    );
    expect(names.length + own.length).toBeGreaterThan(12);
    for (const name of [...names, ...own]) expect(documentedSettings()).toContain(name);
  });
});

function resourcesOf(place: string): Resource[] {
  const { resources: named } = parse(readText(path.join(place, 'kustomization.yaml'))) as { resources: string[] };
  const files = named.filter((name) => name.endsWith('.yaml'));
  return files.flatMap((file) =>
    parseAllDocuments(readText(path.join(place, file))).map((document) => document.toJS()),
  );
}

function podsOf(all: readonly Resource[]): [string, PodSpec][] {
  return all.filter(({ spec }) => spec?.template).map(({ metadata, spec }) => [metadata.name, spec.template.spec]);
}
