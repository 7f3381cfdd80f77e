import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { platformVersion } from '../platform-version.ts';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A registry for one process, with build information and Node's own metrics (memory, event loop, handles). */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  // Gauges named like counters; the same numbers by type remain.
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
