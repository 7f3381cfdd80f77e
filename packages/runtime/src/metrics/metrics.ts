import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { platformVersion } from '../platform-version.ts';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Creates a registry for one process, with build information and Node's metrics (memory, event loop, handles). */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  // These gauges have the names of counters. The same numbers by type remain.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const build = new Gauge({
    name: 'capture_build_info',
    help: 'Always 1; the labels name the version.',
    labelNames: ['version'],
    registers: [registry],
  });
  build.set({ version: platformVersion }, 1);
  return registry;
}
