/** The target of a figure. */
export interface Goal {
  /** The name of the figure in the table. */
  figure: string;
  goal: number;
  /** A more ambitious target than the goal, or null. */
  reach: number | null;
  better: 'less' | 'more';
  /** The unit of the values. */
  unit: '×' | 'ms' | '/s' | 'of 40' | 'of 5' | '%' | 'cases';
}

/** The rows of the table, in order. A ratio is the platform's figure divided by the peer's. */
export const goals = {
  latencyLoad: row('latency with a new renderer, against naive Puppeteer waiting for `load`', 'less', '×', 0.65, 0.55),
  latencyIdle: row('… against `networkidle2`', 'less', '×', 0.15, 0.12),
  latencyFloor: row('… against the floor', 'less', '×', 1.35, 1.2),
  ownShare: row("the service's own share of a response", 'less', 'ms', 12, 8),
  throughputCluster4: row(
    'throughput at 4 with a new renderer each, against puppeteer-cluster',
    'more',
    '×',
    1.35,
    1.5,
  ),
  throughputCluster8: row('… at 8', 'more', '×', 1.35, 1.5),
  throughputServer4: row("throughput at 4, against browserless.io's server", 'more', '×', 2.5, 3),
  throughputServer8: row('… at 8', 'more', '×', 2.5, 3),
  warmBatch: row('200 pages of one site in warm pages, against puppeteer-cluster', 'more', '×', 2, 2.5),
  warmImages: row('documents given as `html` to PNG at 4, against naive `setContent`', 'more', '×', 2.5, 4),
  warmPdfs: row('… to PDF', 'more', '×', 2.5, 4),
  painted: row('full page of `long`: images painted', 'more', 'of 40', 40, null),
  fullPage: row('… time, against microlink', 'less', '×', 0.3, 0.2),
  fidelityRight: row('corpus of realistic pages: cases that are right', 'more', '%', 96, 98),
  fidelityLead: row('… more than the best other tool, of those that all can be asked', 'more', 'cases', 1, null),
  fidelityMedian: row('… median time of a capture', 'less', 'ms', 1_000, null),
  fidelityTime: row('… against the fastest tool with a majority of right cases', 'less', '×', 1, null),
  slowRight: row('`spaslow` right', 'more', 'of 5', 5, null),
  hangBeyondCap: row('`hang` done, after its cap', 'less', 'ms', 200, null),
  memory: row('memory of worker and browser at 4, against naive Puppeteer', 'less', '×', 1.15, 1),
  submissions: row('`async=true` submissions a second', 'more', '/s', 1_000, 2_500),
  batchAccepted: row('a batch of 1,000 accepted in', 'less', 'ms', 500, 200),
  deliveries: row('deliveries a second', 'more', '/s', 500, 1_500),
  flatness: row('cost of a capture, last thousand of 10,000 against the first', 'less', '%', 5, null),
} satisfies Record<string, Goal>;

export type GoalName = keyof typeof goals;

function row(figure: string, better: Goal['better'], unit: Goal['unit'], goal: number, reach: number | null): Goal {
  return { figure, better, unit, goal, reach };
}

/** Returns `✓✓` for a reached reach, `✓` for a reached goal, else the distance from the goal. */
export function decision({ goal, reach, better }: Goal, value: number): string {
  const holds = (limit: number) => (better === 'less' ? value <= limit : value >= limit);
  if (reach !== null && holds(reach)) return '✓✓ reach';
  if (holds(goal)) return '✓ goal';
  const by = Math.abs(value / goal - 1) * 100;
  return `✗ by ${by < 10 ? by.toFixed(1) : Math.round(by)} %`;
}

/** Formats goal and reach for the table. */
export function limits({ goal, reach, better, unit }: Goal): [string, string] {
  const limit = (value: number) => `${better === 'less' ? '≤' : '≥'} ${written(value, unit)}`;
  return [limit(goal), reach === null ? '' : limit(reach)];
}

/** Formats a value for the table. */
export function written(value: number, unit: Goal['unit']): string {
  switch (unit) {
    case '×':
      return `${value.toFixed(2)} ×`;
    case 'of 40':
    case 'of 5':
    case 'cases':
      return `${Math.round(value)} ${unit}`;
    case '%':
      return `${value.toFixed(1)} %`;
    case '/s':
      return `${Math.round(value).toLocaleString('en-US')} /s`;
    case 'ms':
      return `${value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US')} ms`;
  }
}
