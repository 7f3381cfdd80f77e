import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Job, scrapeAll } from './metrics.test-support.ts';
import { expressionsOfAlerts, expressionsOfDashboard } from './monitoring-files.ts';
import { readDocumentedMetrics } from './read-documented-metrics.ts';
import { readExposition, type ScrapedMetric } from './read-exposition.ts';
import { readExpression } from './read-promql.ts';

// The tests start all processes and compare their metrics with the rules, panels and documents.
jest.setTimeout(400_000);

let scraped: Map<string, { metric: ScrapedMetric; jobs: Job[] }>;

beforeAll(async () => {
  scraped = new Map();
  for (const [job, text] of Object.entries(await scrapeAll()) as [Job, string][]) {
    for (const [name, metric] of readExposition(text)) {
      const known = scraped.get(name);
      if (!known) scraped.set(name, { metric, jobs: [job] });
      else {
        known.jobs.push(job);
        for (const label of metric.labels) known.metric.labels.add(label);
      }
    }
  }
});

/** Metrics that Prometheus creates itself. */
const ofPrometheus = new Set(['up', 'ALERTS']);

it.each([
  ['alert', expressionsOfAlerts],
  ['panel', expressionsOfDashboard],
])('every %s uses existing metrics only', (_, expressions) => {
  const missing = expressions().flatMap(({ of, expression }) =>
    readExpression(expression)
      .metrics.filter((name) => !scraped.has(name) && !ofPrometheus.has(name))
      .map((name) => `${of}: ${name}`),
  );
  expect(missing).toEqual([]);
});

describe('docs/monitoring.md', () => {
  const documented = readDocumentedMetrics();
  const ours = () => [...scraped].filter(([name, { metric }]) => name === metric.name && name.startsWith('capture_'));

  it('lists every metric of the platform with its type and the processes that report it', () => {
    const reported = ours().map(([name, { metric, jobs }]) => ({ name, type: metric.type, jobs: jobs.toSorted() }));
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
    expect(documented.map(({ name, type, jobs }) => ({ name, type, jobs: jobs.toSorted() })).sort(byName)).toEqual(
      reported.sort(byName),
    );
  });

  it('lists the labels of each metric', () => {
    const labelled = ours().filter(([, { metric }]) => metric.series > 0);
    for (const [name, { metric }] of labelled) {
      expect({ name, labels: documented.find((each) => each.name === name)?.labels }).toEqual({
        name,
        labels: [...metric.labels].sort(),
      });
    }
  });
});

it('every label has few values, and none is an account, a host or an id', () => {
  const many = [...scraped].filter(([name, { metric }]) => name === metric.name && metric.series > 400);
  expect(many.map(([name]) => name)).toEqual([]);
  const labels = new Set([...scraped.values()].flatMap(({ metric }) => [...metric.labels]));
  expect([...labels].filter((label) => /account|email|key|host|url|_id$/.test(label))).toEqual([]);
});
