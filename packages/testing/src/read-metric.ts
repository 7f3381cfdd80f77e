/** Sums the samples of a metric in Prometheus text format that have these labels; undefined if no sample has them. */
export function readMetric(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  const values = text.split('\n').flatMap((line) => {
    const [, metric, labelText = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return metric === name && wanted.every((label) => labelText.split(',').includes(label)) ? [Number(value)] : [];
  });
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}
