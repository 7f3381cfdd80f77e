import { readFileSync } from 'node:fs';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Of the platform; all of its packages have one. */
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** A registry of one process, with what it is and Node's own metrics (memory, event loop, handles) in it. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  // Sums that are gauges and are named like counters; the same by kind of resource stay.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const build = new Gauge({
    name: 'capture_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version'],
    registers: [registry],
  });
  build.set({ version }, 1);
  return registry;
}
