import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { expressionsOfAlerts, readAlerts, readDashboard } from './monitoring-files.ts';
import { readExpression } from './read-promql.ts';
import { readText } from './repository.test-support.ts';

const alerts = readAlerts();
const runbook = readText('docs/runbook.md');

/** Headings that begin with the platform's name are alerts'; others may stand beside them. */
const sections = [...runbook.matchAll(/^## (Capture\w+)$/gm)].map(([, heading]) => heading!);

describe('the rules', () => {
  it('are all PromQL', () => {
    const faults = expressionsOfAlerts().flatMap(({ of, expression }) =>
      readExpression(expression).faults.map((fault) => `${of}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('each select a metric, have a severity that there is, and say in a sentence what is the matter', () => {
    for (const { alert, expr, labels, annotations } of alerts) {
      expect({ alert, metrics: readExpression(expr).metrics }).not.toMatchObject({ metrics: [] });
      expect({ alert, severity: labels.severity }).toEqual({
        alert,
        severity: expect.stringMatching(/^(critical|warning|info)$/),
      });
      expect({ alert, summary: annotations.summary }).toEqual({ alert, summary: expect.stringMatching(/^\S.*\.$/) });
    }
  });

  it('have one name each', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });

  it('are each seen to fire by promtool', () => {
    const cases = parse(readText('deploy/prometheus/alerts.test.yml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const fired = cases.tests
      .flatMap(({ alert_rule_test: tested }) => tested)
      .filter(({ exp_alerts: expected }) => expected.length > 0);
    expect(new Set(fired.map(({ alertname }) => alertname))).toEqual(new Set(alerts.map(({ alert }) => alert)));
  });
});

describe('the runbook', () => {
  it('has a section for each alert, and none for another', () => {
    expect(sections.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  it('is where the alerts say', () => {
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    }
  });

  it.each(sections)('says of %s what it means, what to look at and how to mend it', (section) => {
    const [, text = ''] = runbook.split(`## ${section}\n`);
    const [own = ''] = text.split('\n## ');
    expect([...own.matchAll(/^\*\*(.+?):\*\*/gm)].map(([, part]) => part)).toEqual(['Means', 'Look at', 'Mend']);
  });

  it('names alerts and panels that there are', () => {
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

it('the example of Prometheus reads the rules and the targets', () => {
  const example = parse(readText('deploy/prometheus/prometheus.yml'));
  expect(example).toMatchObject({
    rule_files: ['alerts.yml'],
    scrape_configs: [{ file_sd_configs: [{ files: ['../../.data/prometheus-targets.json'] }] }],
  });
});
