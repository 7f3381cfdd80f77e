/**
 * The behavior that a path of the receiver requests: `/<kind>/<times>/<delay>`, such as `/500/2/50`. The first `times` requests
 * of an event get `kind`, each after `delay` milliseconds, and later ones a 200; `all` means until the receiver is healed.
 * The rest of the path is a label.
 */
export interface Behavior {
  kind: Kind;
  times: number | 'all';
  delayMs: number;
}

/** The response to a request. A number is an HTTP status. */
export type Kind = number | Misbehavior;

const misbehaviors = ['hang', 'reset', 'redirect', 'invalid', 'slow-headers', 'drip', 'endless'] as const;
export type Misbehavior = (typeof misbehaviors)[number];

/** The target of the receiver's redirects. No request may ever arrive there. */
export const redirectTarget = '/target';

/** Returns the path for a behavior, an immediate 200 by default. */
export function pathFor({ kind = 200, times = 0, delayMs = 0 }: Partial<Behavior> = {}, label = ''): string {
  return `/${kind}/${times}/${delayMs}${label && `/${label}`}`;
}

export function parseBehavior(path: string): Behavior {
  const [, kind = '', times = '', delay = ''] = path.split('/');
  return {
    kind: misbehaviors.find((each) => each === kind) ?? (Number(kind) || 200),
    times: times === 'all' ? 'all' : Number(times) || 0,
    delayMs: Number(delay) || 0,
  };
}
