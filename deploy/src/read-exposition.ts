/** A metric as a process tells of it to Prometheus. */
export interface ScrapedMetric {
  name: string;
  type: string;
  /** Those of its series; none where it has no series yet. */
  labels: Set<string>;
  series: number;
}

/** What all metrics of a process have, and what the parts of a histogram have. */
const commonLabels = new Set(['service', 'le', 'quantile']);

/** Reads Prometheus' text format: every metric by its name, and by those of a histogram's parts as well. */
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
