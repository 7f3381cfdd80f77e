import { createHash } from 'node:crypto';
import { sendSignal } from '@capture/queue/signals';
import type { Redis } from 'ioredis';

/** Identifies a call by more than its id: clients count their requests, so two clients of one account use equal ids. */
export interface AgentCall {
  accountId: string;
  /** `Mcp-Session-Id`, which `initialize` returns and the client repeats. */
  session: string;
  /** The `id` of the JSON-RPC request. */
  id: unknown;
}

/**
 * The calls of agents that this process serves. No gateway keeps sessions, so a gateway may receive the cancellation of a call
 * that another gateway serves, and passes the cancellation on.
 */
export class AgentCalls {
  readonly #redis: Redis;
  readonly #open = new Map<string, AbortController>();

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** @param controller aborted when the client cancels the call. @returns a function to call at the end of the call. */
  open(call: AgentCall, controller: AbortController): () => void {
    const key = keyOf(call);
    this.#open.set(key, controller);
    return () => {
      if (this.#open.get(key) === controller) this.#open.delete(key);
    };
  }

  /** Cancels a call, in this gateway or another. A call that has ended is ignored. */
  cancel(call: AgentCall): void {
    const key = keyOf(call);
    if (!this.cancelHere(key)) void sendSignal(this.#redis, 'agentCallCancelled', key);
  }

  /** Handles the signal of another gateway. @returns whether this process serves the call. */
  cancelHere(key: string): boolean {
    const controller = this.#open.get(key);
    controller?.abort();
    return controller !== undefined;
  }
}

/** Hashes the key to a fixed length, because the client chooses its session and id. */
function keyOf({ accountId, session, id }: AgentCall): string {
  return createHash('sha256')
    .update(JSON.stringify([accountId, session, id]))
    .digest('base64url');
}
