import { createHash } from 'node:crypto';
import { sendSignal } from '@capture/queue/signals';
import type { Redis } from 'ioredis';

/** What identifies a call: clients count their requests, so the ids of two clients of one account are equal. */
export interface AgentCall {
  accountId: string;
  /** `Mcp-Session-Id`, which `initialize` returns and the client repeats. */
  session: string;
  /** Of the request, as JSON-RPC has it. */
  id: unknown;
}

/**
 * The calls of agents that this process is serving. There are no sessions, so another gateway may receive the notification
 * that a call is cancelled; it passes it on.
 */
export class AgentCalls {
  readonly #redis: Redis;
  readonly #open = new Map<string, AbortController>();

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** @param controller aborted when the client cancels the call. @returns a function to be called at its end. */
  open(call: AgentCall, controller: AbortController): () => void {
    const key = keyOf(call);
    this.#open.set(key, controller);
    return () => {
      if (this.#open.get(key) === controller) this.#open.delete(key);
    };
  }

  /** Cancels a call, here or in another gateway. One that has ended is ignored. */
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

/** Of a fixed length, whatever the client sends as its session and id. */
function keyOf({ accountId, session, id }: AgentCall): string {
  return createHash('sha256')
    .update(JSON.stringify([accountId, session, id]))
    .digest('base64url');
}
