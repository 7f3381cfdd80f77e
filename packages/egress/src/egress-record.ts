import { parseUrl, urlPort } from './host.ts';
import type { RefusalReason } from './refusal.ts';

/** Why a host and port could not be reached in this capture; `message` is one sentence for the client. */
export interface EgressDecision {
  readonly reason: RefusalReason;
  readonly host: string;
  readonly port: number;
  readonly message: string;
}

export interface EgressCounts {
  /** The requested connections. One connection may carry many requests, which the proxy cannot see. */
  readonly connections: number;
  /** The bytes from and to the targets, on the wire. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** The connections that the address rules refused. */
  readonly blocked: number;
}

/** A capture's traffic as plain JSON. */
export interface EgressFacts {
  readonly counts: EgressCounts;
  /** The part of the budget that is used up; the proxy then refuses every connection. */
  readonly exhausted: 'connections' | 'bytes' | null;
  /** One decision for each host and port that was never reached. */
  readonly decisions: readonly EgressDecision[];
}

/** The hosts that a capture had reached and failed to reach at one moment. */
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
   * Why the host and port of this URL could not be reached; null if they were reached or never requested. The reason comes from
   * the capture's record, so that neither the page nor the browser's error text is trusted.
   */
  decision(url: string | URL): EgressDecision | null {
    const parsed = typeof url === 'string' ? parseUrl(url) : url;
    if (!parsed) return null;
    const port = urlPort(parsed);
    return this.decisions.find((decision) => decision.host === parsed.hostname && decision.port === port) ?? null;
  }
}
