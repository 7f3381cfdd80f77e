import { Counter, Gauge, type Registry } from 'prom-client';
import { withTimeout } from '../timeout.ts';

/** A metric's value: one number, one for each set of labels, or no value. */
export type Shown = number | null | undefined | readonly (readonly [labels: Record<string, string>, value: number])[];

/** A metric whose value is read from another system on each scrape. */
export interface ReadMetric<Reading> {
  name: string;
  help: string;
  labelNames?: readonly string[];
  /** `counter` if the other system counts; `gauge` by default. */
  type?: 'gauge' | 'counter';
  /** @param reading null if reading failed. */
  show(reading: Reading | null): Shown;
}

export interface ReadMetricsOptions {
  /** The timeout of a reading, milliseconds: a scrape must not wait for an unavailable system. */
  withinMs?: number;
  /** How long a reading is reused, milliseconds, so that several scrapers cost no more than one. */
  keepMs?: number;
}

/** Shorter than Prometheus' scrape timeout of 10 s. */
const defaultWithinMs = 2_000;

/** Shorter than the 15 s between two scrapes. */
const defaultKeepMs = 1_000;

/**
 * Creates metrics from one reading, which is made on each scrape. A reading that fails or times out does not fail the scrape: the
 * metrics show their value for `null`, usually none. A stale number is never shown.
 */
export function readMetrics<Reading>(
  registry: Registry,
  read: () => Promise<Reading>,
  metrics: readonly ReadMetric<Reading>[],
  { withinMs = defaultWithinMs, keepMs = defaultKeepMs }: ReadMetricsOptions = {},
): void {
  let current: Promise<Reading | null> | undefined;
  let keptUntil = 0;
  // One reading serves all of its metrics, which a scrape collects concurrently.
  const reading = () => {
    if (!current || performance.now() > keptUntil) {
      keptUntil = Number.POSITIVE_INFINITY;
      current = withTimeout(withinMs, Promise.resolve().then(read), () => null)
        .catch(() => null)
        .finally(() => {
          keptUntil = performance.now() + keepMs;
        });
    }
    return current;
  };
  for (const { name, help, labelNames = [], type = 'gauge', show } of metrics) {
    const Metric = type === 'counter' ? Counter : Gauge;
    const metric = new Metric({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const shown = show(await reading());
        metric.reset();
        if (typeof shown === 'number') metric.inc(shown);
        else if (shown) for (const [labels, value] of shown) metric.inc(labels, value);
        // Without labels the reset leaves a 0, which would be a wrong value.
        else if (labelNames.length === 0) metric.remove();
      },
    });
  }
}
