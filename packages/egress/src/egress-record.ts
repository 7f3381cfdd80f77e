import { parseUrl, portOf } from './host.ts';
import type { RefusalReason } from './refusal.ts';

/** Why a host and port could not be reached in this capture; `message` is one sentence for the client. */
export interface EgressDecision {
  readonly reason: RefusalReason;
  readonly host: string;
  readonly port: number;
  readonly message: string;
}

export interface EgressCounts {
  /** that were asked for: one may carry many requests, which cannot be seen */
  readonly connections: number;
  /** bytes from and to the targets, on the wire */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** those that the address rules refused */
  readonly blocked: number;
}

/** What is known of a capture's traffic, as plain JSON. */
export interface EgressFacts {
  readonly counts: EgressCounts;
  /** the part of the budget that ran out; nothing passes from then on */
  readonly exhausted: 'connections' | 'bytes' | null;
  /** one for each host and port that could not be reached and has not answered */
  readonly decisions: readonly EgressDecision[];
}

/** What a capture had reached, and failed to reach, at one moment. */
export class EgressRecord implements EgressFacts {
  readonly counts: EgressCounts;
  readonly exhausted: 'connections' | 'bytes' | null;
  readonly decisions: readonly EgressDecision[];

  constructor({ counts, exhausted, decisions }: EgressFacts) {
    this.counts = counts;
    this.exhausted = exhausted;
    this.decisions = decisions;
  }

  /**
   * Why the host and port of this URL could not be reached; null once it has answered, or was never asked for. It is this
   * capture's own record, so that no page and no error text of the browser is believed.
   */
  decision(url: string | URL): EgressDecision | null {
    const parsed = typeof url === 'string' ? parseUrl(url) : url;
    if (!parsed) return null;
    const port = portOf(parsed);
    return this.decisions.find((decision) => decision.host === parsed.hostname && decision.port === port) ?? null;
  }
}
