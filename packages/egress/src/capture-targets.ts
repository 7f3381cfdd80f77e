import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { type DialTarget, dial } from './dial.ts';
import { type EgressCounts, type EgressDecision, EgressRecord } from './egress-record.ts';
import { type Resolve, systemResolve } from './look-up.ts';
import { EgressRefusal, type RefusalReason } from './refusal.ts';
import { rememberLookups } from './remember-lookups.ts';

export interface CaptureTargetsOptions {
  resolve?: Resolve;
  lookUpTimeoutMs?: number;
  connectTimeoutMs?: number;
  budget?: CaptureBudget;
}

/** The traffic that a capture may use; a missing limit is unlimited. */
export interface CaptureBudget {
  connections?: number;
  /** The bytes of both directions together. */
  bytes?: number;
}

/** The most hosts whose outcome is recorded, so that a page cannot grow the record without limit. The oldest are dropped. */
const MAX_HOSTS = 512;

/** The connections that a capture requested, its counts, and for each host and port either that it was reached or why not. */
export class CaptureTargets {
  readonly #rules: AddressRules;
  readonly #options: CaptureTargetsOptions;
  readonly #resolve: Resolve;
  readonly #closing = new AbortController();
  readonly #sockets = new Set<Socket>();
  readonly #outcomes = new Map<string, EgressDecision | 'reached'>();
  readonly #counts = { connections: 0, bytesIn: 0, bytesOut: 0, blocked: 0 };
  #exhausted: 'connections' | 'bytes' | null = null;

  constructor(rules: AddressRules, options: CaptureTargetsOptions) {
    this.#rules = rules;
    this.#options = options;
    const { signal } = this.#closing;
    this.#resolve = rememberLookups(options.resolve ?? systemResolve, { signal });
    // Every pending connection adds a listener, and Node.js warns of a leak from ten listeners on.
    setMaxListeners(0, signal);
  }

  /** Returns the current state. */
  record(): EgressRecord {
    const decisions = [...this.#outcomes.values()].filter((outcome) => outcome !== 'reached');
    return new EgressRecord({ counts: this.#countsNow(), exhausted: this.#exhausted, decisions });
  }

  /** Counts a requested connection; returns false if the budget is used up. */
  admit(): boolean {
    const { connections = Number.POSITIVE_INFINITY } = this.#options.budget ?? {};
    if (!this.#exhausted && this.#counts.connections >= connections) this.#exhaust('connections');
    if (this.#exhausted) return false;
    this.#counts.connections += 1;
    return true;
  }

  /** Opens a connection, counts its bytes, and ends it with the capture. @throws {EgressRefusal} */
  async connect(target: DialTarget): Promise<Socket> {
    const { lookUpTimeoutMs, connectTimeoutMs } = this.#options;
    const socket = await dial(this.#rules, target, {
      resolve: this.#resolve,
      signal: this.#closing.signal,
      ...(lookUpTimeoutMs === undefined ? {} : { lookUpTimeoutMs }),
      ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    });
    if (this.#closing.signal.aborted) {
      socket.destroy();
      throw new EgressRefusal('reset', target);
    }
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#counts.bytesIn += socket.bytesRead;
      this.#counts.bytesOut += socket.bytesWritten;
    });
    return socket;
  }

  /** Ends all connections once the budget is used up. Must be called as bytes flow. */
  checkBytes(): void {
    const limit = this.#options.budget?.bytes;
    if (limit === undefined || this.#exhausted) return;
    const { bytesIn, bytesOut } = this.#countsNow();
    if (bytesIn + bytesOut > limit) this.#exhaust('bytes');
  }

  reached(target: DialTarget): void {
    this.#remember(target, 'reached');
  }

  /** Records a failure, unless the host was reached: a later failure of one of its connections is the page's concern. */
  failed(target: DialTarget, reason: RefusalReason): void {
    if (this.#closing.signal.aborted) return;
    if (reason === 'blocked') this.#counts.blocked += 1;
    else if (this.#outcomes.get(targetKey(target)) === 'reached') return;
    const { message } = new EgressRefusal(reason, target);
    this.#remember(target, { reason, host: target.hostname, port: target.port, message });
  }

  /** Ends all connections and pending attempts, and the look-ups that have not started. */
  close(): void {
    this.#closing.abort();
    for (const socket of this.#sockets) socket.destroy();
  }

  #countsNow(): EgressCounts {
    const counts = { ...this.#counts };
    for (const socket of this.#sockets) {
      counts.bytesIn += socket.bytesRead;
      counts.bytesOut += socket.bytesWritten;
    }
    return counts;
  }

  #exhaust(part: 'connections' | 'bytes'): void {
    this.#exhausted = part;
    this.close();
  }

  #remember(target: DialTarget, outcome: EgressDecision | 'reached'): void {
    const key = targetKey(target);
    this.#outcomes.delete(key);
    this.#outcomes.set(key, outcome);
    const [oldest] = this.#outcomes.keys();
    if (this.#outcomes.size > MAX_HOSTS && oldest !== undefined) this.#outcomes.delete(oldest);
  }
}

function targetKey({ hostname, port }: DialTarget): string {
  return `${hostname}:${port}`;
}
