import { Counter, Gauge, type Registry } from 'prom-client';
import { withTimeout } from '../timeout.ts';

/** What a metric shows of a reading: one number, one for each set of labels, or nothing at present. */
export type Shown = number | null | undefined | readonly (readonly [labels: Record<string, string>, value: number])[];

/** A metric that is read from somewhere else when somebody asks for it. */
export interface ReadMetric<Reading> {
  name: string;
  help: string;
  labelNames?: readonly string[];
  /** A counter where somebody else counts; a gauge unless given. */
  type?: 'gauge' | 'counter';
  /** @param reading null where nothing could be read. */
  show(reading: Reading | null): Shown;
}

export interface ReadMetricsOptions {
  /** After that long there is no reading, milliseconds: a scrape must not wait for what is away. */
  withinMs?: number;
  /** A reading is used again for so long, milliseconds: several who scrape cost no more than one. */
  keepMs?: number;
}

/** Prometheus gives a scrape 10 s. */
const defaultWithinMs = 2_000;

/** Under the 15 s between two scrapes. */
const defaultKeepMs = 1_000;

/**
 * Metrics that come from one reading, made when they are asked for. One that fails or takes too long fails no scrape: its
 * metrics show what they show of `null`, which is as a rule that they are not there. An old number is never shown for a new one.
 */
export function readMetrics<Reading>(
  registry: Registry,
  read: () => Promise<Reading>,
  metrics: readonly ReadMetric<Reading>[],
  { withinMs = defaultWithinMs, keepMs = defaultKeepMs }: ReadMetricsOptions = {},
): void {
  let current: Promise<Reading | null> | undefined;
  let keptUntil = 0;
  // One reading serves all of its metrics, which a scrape asks for side by side.
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
        // One without labels is 0 after the reset, which is a number as well.
        else if (labelNames.length === 0) metric.remove();
      },
    });
  }
}
