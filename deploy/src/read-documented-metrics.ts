import { readText } from './repository.test-support.ts';

export interface DocumentedMetric {
  name: string;
  type: string;
  labels: string[];
  jobs: string[];
}

/** The names that the tables use for the processes. */
const jobsOf: Record<string, string[]> = {
  gateway: ['api-gateway'],
  worker: ['capture-worker'],
  dispatcher: ['webhook-dispatcher'],
  proxy: ['egress-proxy'],
  all: ['api-gateway', 'capture-worker', 'webhook-dispatcher', 'egress-proxy'],
};

/** Reads the tables of docs/monitoring.md: name, type, labels, reporting processes, meaning. */
export function readDocumentedMetrics(): DocumentedMetric[] {
  const rows = readText('docs/monitoring.md').matchAll(
    /^\| `(capture_\w+)` +\| (\w+) +\| ([^|]*?) *\| ([^|]*?) *\| \S.* \|$/gm,
  );
  return [...rows].map(([, name = '', type = '', labels = '', processes = '']) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label!).sort(),
    jobs: processes.split(', ').flatMap((job) => jobsOf[job] ?? [job]),
  }));
}
