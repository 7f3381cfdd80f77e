import { alertThresholds as limits } from '@capture/contract/alert-thresholds';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { expressionsOfAlerts, readAlerts, readDashboard } from './monitoring-files.ts';
import { readExpression } from './read-promql.ts';
import { readText } from './repository.test-support.ts';

const alerts = readAlerts();
const runbook = readText('docs/runbook.md');

/** Headings that begin with `Capture` are alerts. The runbook has other sections, too. */
const sections = [...runbook.matchAll(/^## (Capture\w+)$/gm)].map(([, heading]) => heading!);

describe('the alert rules', () => {
  it('are valid PromQL', () => {
    const faults = expressionsOfAlerts().flatMap(({ of, expression }) =>
      readExpression(expression).faults.map((fault) => `${of}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('select a metric, have a known severity, and state the problem in a sentence', () => {
    for (const { alert, expr, labels, annotations } of alerts) {
      expect({ alert, metrics: readExpression(expr).metrics }).not.toMatchObject({ metrics: [] });
      expect({ alert, severity: labels.severity }).toEqual({
        alert,
        severity: expect.stringMatching(/^(critical|warning|info)$/),
      });
      expect({ alert, summary: annotations.summary }).toEqual({ alert, summary: expect.stringMatching(/^\S.*\.$/) });
    }
  });

  it('have unique names', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });

  it('each fire in a promtool test', () => {
    const cases = parse(readText('deploy/prometheus/alerts.test.yml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const fired = cases.tests
      .flatMap(({ alert_rule_test: rules }) => rules)
      .filter(({ exp_alerts: expected }) => expected.length > 0);
    expect(new Set(fired.map(({ alertname }) => alertname))).toEqual(new Set(alerts.map(({ alert }) => alert)));
  });
});

it.each([
  ['CaptureQueueWaitLong', `> ${limits.oldestCaptureS}`],
  ['CaptureQueueStuck', `[${limits.stuckMinutes}m]`],
  ['CaptureDeliveriesLate', `> ${limits.oldestDeliveryS}`],
  ['CaptureDeliveriesFailing', `>= ${limits.failedDeliveryShare}`],
  ['CaptureDeliveriesFailing', `[${limits.deliveryMinutes}m]`],
  ['CaptureBrowserRestarts', `> ${limits.browserRestarts}`],
  ['CaptureAccountFlooding', `> ${limits.accountShare} * max(`],
  ['CaptureAccountFlooding', `> ${limits.floodedQueueLength}`],
  ['CaptureDatabaseSlow', `> ${limits.databaseResponseS}`],
  ['CaptureClockWrong', `> ${limits.clockOffsetS}`],
  ['CaptureCleanupJobStalled', `> ${limits.cleanupJobIntervals} * max by (cleanup_job)`],
  ['CaptureCleanupJobStalled', `+ ${limits.cleanupJobGraceS}`],
])("the threshold of %s is the dashboard's: %s", (name, text) => {
  const expression = alerts.find(({ alert }) => alert === name)?.expr.replaceAll(/\s+/g, ' ');
  // A longer number may begin with the threshold.
  expect(expression).toMatch(new RegExp(`${text.replaceAll(/[.*+()[\]]/g, '\\$&')}(?![\\d.])`));
});

describe('the runbook', () => {
  it('has one section for each alert', () => {
    expect(sections.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  it('is linked from each alert', () => {
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    }
  });

  it.each(sections)('explains %s: what it means, where to look, how to fix it', (section) => {
    const [, text = ''] = runbook.split(`## ${section}\n`);
    const [own = ''] = text.split('\n## ');
    expect([...own.matchAll(/^\*\*(.+?):\*\*/gm)].map(([, part]) => part)).toEqual(['Means', 'Look at', 'Fix']);
  });

  it('names existing alerts and panels only', () => {
    const named = new Set(runbook.match(/\bCapture[A-Z]\w+/g));
    expect([...named].filter((name) => !sections.includes(name))).toEqual([]);
    const titles = readDashboard().panels.map(({ title }) => title);
    const panels = [...runbook.matchAll(/panels? ((?:_[^_\n]+_(?:, |\s+and\s+|,\s+by )?)+)/gi)].flatMap(([, list]) =>
      [...list!.matchAll(/_([^_\n]+)_/g)].map(([, title]) => title!),
    );
    expect(panels.length).toBeGreaterThan(10);
    expect(panels.filter((title) => !titles.includes(title))).toEqual([]);
  });
});

it('the example Prometheus configuration reads the rules and the targets', () => {
  const example = parse(readText('deploy/prometheus/prometheus.yml'));
  expect(example).toMatchObject({
    rule_files: ['alerts.yml'],
    scrape_configs: [{ file_sd_configs: [{ files: ['../../.data/prometheus-targets.json'] }] }],
  });
});
