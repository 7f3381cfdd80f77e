import { readText } from './repository.test-support.ts';

export interface DocumentedMetric {
  name: string;
  type: string;
  labels: string[];
  jobs: string[];
}

/** How the tables name who tells of a metric. */
const jobsOf: Record<string, string[]> = {
  gateway: ['api-gateway'],
  worker: ['capture-worker'],
  dispatcher: ['webhook-dispatcher'],
  proxy: ['egress-proxy'],
  all: ['api-gateway', 'capture-worker', 'webhook-dispatcher', 'egress-proxy'],
};

/** The rows of the tables of docs/monitoring.md: name, type, labels, who tells of it, what it tells. */
export function readDocumentedMetrics(): DocumentedMetric[] {
  const rows = readText('docs/monitoring.md').matchAll(
    /^\| `(capture_\w+)` +\| (\w+) +\| ([^|]*?) *\| ([^|]*?) *\| \S.* \|$/gm,
  );
  return [...rows].map(([, name = '', type = '', labels = '', who = '']) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label!).sort(),
    jobs: who.split(', ').flatMap((job) => jobsOf[job] ?? [job]),
  }));
}
