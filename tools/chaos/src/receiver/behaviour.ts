/**
 * What a path of the receiver asks for: `/<kind>/<times>/<delay>`, such as `/500/2/50`. The first `times` requests of an
 * event get `kind`, each after `delay` milliseconds, and what comes after that gets a 200; `all` means until the receiver
 * is healed. What follows in the path is a label.
 */
export interface Behaviour {
  kind: Kind;
  times: number | 'all';
  delayMs: number;
}

/** How a request can be treated; a number is the HTTP status that it gets. */
export type Kind = number | OddKind;

const oddKinds = ['hang', 'reset', 'redirect', 'invalid', 'slow-headers', 'drip', 'endless'] as const;
export type OddKind = (typeof oddKinds)[number];

/** Where the receiver's redirects lead: nothing may ever arrive there. */
export const redirectTarget = '/target';

/** The path for a behaviour, without one a 200 at once. */
export function pathFor({ kind = 200, times = 0, delayMs = 0 }: Partial<Behaviour> = {}, label = ''): string {
  return `/${kind}/${times}/${delayMs}${label && `/${label}`}`;
}

export function behaviourOf(path: string): Behaviour {
  const [, kind = '', times = '', delay = ''] = path.split('/');
  const odd = oddKinds.find((each) => each === kind);
  return {
    kind: odd ?? (Number(kind) || 200),
    times: times === 'all' ? 'all' : Number(times) || 0,
    delayMs: Number(delay) || 0,
  };
}
