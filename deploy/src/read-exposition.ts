/** A metric that a process exposes to Prometheus. */
export interface ScrapedMetric {
  name: string;
  type: string;
  /** Label names of the metric's series; empty without a series. */
  labels: Set<string>;
  series: number;
}

/** Labels of every metric, and of the parts of a histogram. */
const commonLabels = new Set(['service', 'le', 'quantile']);

/** Reads the Prometheus text format: each metric by its name, and a histogram also by the names of its parts. */
export function readExposition(text: string): Map<string, ScrapedMetric> {
  const metrics = new Map<string, ScrapedMetric>();
  for (const line of text.split('\n')) {
    const [, declared = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (declared !== '') {
      const metric = { name: declared, type, labels: new Set<string>(), series: 0 };
      for (const suffix of type === 'histogram' ? ['', '_bucket', '_sum', '_count'] : ['']) {
        metrics.set(declared + suffix, metric);
      }
    }
    const [, name = '', labels = ''] = /^([a-zA-Z_]\w*)(?:\{(.*)\})? /.exec(line) ?? [];
    const metric = metrics.get(name);
    if (!metric) continue;
    metric.series += 1;
    for (const [, label = ''] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) {
      if (!commonLabels.has(label)) metric.labels.add(label);
    }
  }
  return metrics;
}
