import type { Redis } from 'ioredis';

/**
 * Hints between processes over Redis pub/sub: a listener reads Postgres sooner than it would by itself. A lost hint only
 * costs time, as every listener also polls. That of a cancelled call costs a capture that no client waits for, and that of a
 * account that is apart another one, in a worker that has not seen it.
 */
const channels = {
  /** A capture has ended; the message is its id. */
  captureEnded: 'capture:ended',
  /** Deliveries are due; the message is empty. */
  deliveriesDue: 'deliveries:due',
  /** The pages of an account have spoilt browsers of a worker, so the account is apart for an hour; the message is its id. */
  accountApart: 'account:apart',
  /** An agent has cancelled a call; the message is the call's key. */
  agentCallCancelled: 'agent-call:cancelled',
} as const;

export type Signal = keyof typeof channels;

/** Sends a hint, or drops it if Redis is unavailable. */
export async function sendSignal(redis: Redis, signal: Signal, message = ''): Promise<void> {
  await redis.publish(channels[signal], message).catch(() => undefined);
}

/** Listens for hints on a separate connection (`connectBlockingRedis`), and subscribes again after an outage. */
export function onSignal(redis: Redis, signal: Signal, listener: (message: string) => void): void {
  const channel = channels[signal];
  redis.on('message', (from: string, message: string) => {
    if (from === channel) listener(message);
  });
  // The command waits for the connection if there is none yet, and fails only once the connection is closed permanently.
  redis.subscribe(channel).catch(() => undefined);
}
