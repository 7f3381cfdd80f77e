import { expect, it } from '@jest/globals';
import { Counter, createMetrics } from './metrics.ts';

it('a registry has the metrics of its process, labelled with the name of the service', async () => {
  const metrics = createMetrics('some-service');
  const counter = new Counter({ name: 'things_total', help: 'Things.', registers: [metrics] });
  counter.inc(3);
  const text = await metrics.metrics();
  expect(text).toContain('things_total{service="some-service"} 3');
  expect(text).toMatch(/process_resident_memory_bytes\{service="some-service"\} \d+/);
});

it('two registries in one process do not affect each other', async () => {
  const [one, other] = [createMetrics('one'), createMetrics('other')];
  new Counter({ name: 'things_total', help: 'Things.', registers: [one] }).inc();
  expect(await other.metrics()).not.toContain('things_total');
});
