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

/** What one capture may use; unlimited where left out. */
export interface CaptureBudget {
  connections?: number;
  /** both ways together */
  bytes?: number;
}

/** Hosts whose fate is kept; a page cannot make the record grow past it. The oldest make room. */
const MAX_HOSTS = 512;

/**
 * Everything that one capture reaches, or fails to reach: its connections, its counts, and for each host and port either
 * that it has answered or why it did not.
 */
export class CaptureTargets {
  readonly #rules: AddressRules;
  readonly #options: CaptureTargetsOptions;
  readonly #resolve: Resolve;
  readonly #closing = new AbortController();
  readonly #sockets = new Set<Socket>();
  readonly #fates = new Map<string, EgressDecision | 'answered'>();
  readonly #counts = { connections: 0, bytesIn: 0, bytesOut: 0, blocked: 0 };
  #exhausted: 'connections' | 'bytes' | null = null;

  constructor(rules: AddressRules, options: CaptureTargetsOptions) {
    this.#rules = rules;
    this.#options = options;
    this.#resolve = rememberLookups(options.resolve ?? systemResolve);
    // Every connection that is being made listens for the end; Node would take ten of them for a leak.
    setMaxListeners(0, this.#closing.signal);
  }

  /** All of it, as it is now. */
  record(): EgressRecord {
    const decisions = [...this.#fates.values()].filter((fate) => fate !== 'answered');
    return new EgressRecord({ counts: this.#countsNow(), exhausted: this.#exhausted, decisions });
  }

  /** Counts a connection that is asked for; false if the budget does not admit it. */
  admit(): boolean {
    const { connections = Number.POSITIVE_INFINITY } = this.#options.budget ?? {};
    if (!this.#exhausted && this.#counts.connections >= connections) this.#exhaust('connections');
    if (this.#exhausted) return false;
    this.#counts.connections += 1;
    return true;
  }

  /**
   * Opens a connection that is counted and ends with the capture.
   * @throws {EgressRefusal}
   */
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

  /** To be called as bytes flow: ends everything once the budget is used up. */
  checkBytes(): void {
    const limit = this.#options.budget?.bytes;
    if (limit === undefined || this.#exhausted) return;
    const { bytesIn, bytesOut } = this.#countsNow();
    if (bytesIn + bytesOut > limit) this.#exhaust('bytes');
  }

  answered(target: DialTarget): void {
    this.#remember(target, 'answered');
  }

  /** A host that has answered keeps that fate: a later failure of one of its connections is for the page to live with. */
  failed(target: DialTarget, reason: RefusalReason): void {
    if (this.#closing.signal.aborted) return;
    if (reason === 'blocked') this.#counts.blocked += 1;
    else if (this.#fates.get(keyOf(target)) === 'answered') return;
    const { message } = new EgressRefusal(reason, target);
    this.#remember(target, { reason, host: target.hostname, port: target.port, message });
  }

  /** Ends every connection, and every attempt at one, at once. */
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

  #remember(target: DialTarget, fate: EgressDecision | 'answered'): void {
    const key = keyOf(target);
    this.#fates.delete(key);
    this.#fates.set(key, fate);
    const [oldest] = this.#fates.keys();
    if (this.#fates.size > MAX_HOSTS && oldest !== undefined) this.#fates.delete(oldest);
  }
}

function keyOf({ hostname, port }: DialTarget): string {
  return `${hostname}:${port}`;
}
