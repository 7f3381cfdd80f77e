/**
 * The value of a metric in what a process tells Prometheus: of all its samples that have these labels, the sum. Undefined
 * where there is none.
 */
export function readMetric(exposition: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  const values = exposition.split('\n').flatMap((line) => {
    const [, metric, given = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return metric === name && wanted.every((label) => given.split(',').includes(label)) ? [Number(value)] : [];
  });
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}
