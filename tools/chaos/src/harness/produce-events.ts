import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { captureCompleted } from '@capture/contract/events/events';
import { claimCapture } from '@capture/database/captures/claim-capture';
import { type CaptureEnding, endCapture, endCaptureOn } from '@capture/database/captures/end-capture';
import { reserveCapture } from '@capture/database/captures/reserve-capture';
import { type Queryable, transaction } from '@capture/database/database';
import { insertEvent, receiversOfEvent } from '@capture/database/deliveries/insert-event';
import { makeReceiversDue, type ReceiverKey } from '@capture/database/deliveries/receivers';
import { newId } from '@capture/database/ids';
import { sendSignal } from '@capture/queue/signals';
import { waitUntil } from '@capture/testing/wait-until';
import type { Submissions } from './client.ts';
import type { Platform } from './platform.ts';
import { atRate, type Pace } from './submit-load.ts';

/** The receiver of an event: the URL of the request, or (null) the account's endpoints. */
export interface Destination {
  accountId: string;
  webhookUrl: string | null;
}

/** Events that were produced, by the ids of their requests. */
export interface Produced {
  /** The time in milliseconds at which the database acknowledged the commit. */
  acknowledged: Map<string, number>;
  /** Events whose connection broke before the acknowledgment, or before the capture had started. */
  uncertain: Set<string>;
}

export const nothingProduced = (): Produced => ({ acknowledged: new Map(), uncertain: new Set() });

const url = 'https://example.com/page';
const fileUrl = 'https://captures.example.com/f/a.png';
const month = () => new Date().toISOString().slice(0, 7);

/** Reserves and claims a capture, as gateway and worker do, without ending it. */
export async function startCapture(
  database: Queryable,
  { accountId, webhookUrl }: Destination,
  id = newId('req'),
): Promise<CaptureEnding | null> {
  const fingerprint = createHash('sha256').update(id).digest();
  const capture = { id, accountId, type: 'screenshot', url, options: {}, webhookUrl, metadata: null } as const;
  await reserveCapture(database, { ...capture, fingerprint, month: month(), monthlyLimit: null });
  const claimed = await claimCapture(database, { captureId: id, workerId: 'chaos' });
  if (!claimed) return null;
  const at = new Date();
  const size = { format: 'png', width: 1_280, height: 720, fileSize: 34_567 };
  const expiresAt = new Date(at.getTime() + 86_400_000);
  const outcome = { status: 'completed', ...size, storageKey: `${id}-1`, expiresAt } as const;
  return { captureId: id, attempt: claimed.attempt, outcome, durationMs: 812, at };
}

export const endingTerms = ({ form }: Pick<Platform, 'form'>) => ({ form, fileUrlOf: () => fileUrl });

/** Produces one event by ending a capture, and wakes the dispatcher. */
export async function produceOne(
  { form, database, redis }: Platform,
  destination: Destination,
  produced: Produced,
): Promise<void> {
  const id = newId('req');
  try {
    const ending = await startCapture(database.pool, destination, id);
    if (!ending) return;
    const ended = await endCapture(database.pool, endingTerms({ form }), ending);
    if (ended) produced.acknowledged.set(id, Date.now());
  } catch {
    // The capture may only have been reserved. A worker that the previous case left may then take and end it.
    produced.uncertain.add(id);
    return;
  }
  await sendSignal(redis, 'deliveriesDue');
}

/** Produces one event in a transaction that waits `pauseMs` milliseconds between choosing its receivers and the commit. */
export async function produceSlowly(
  { form, database, redis }: Platform,
  destination: Destination,
  produced: Produced,
  pauseMs: number,
): Promise<void> {
  const ending = await startCapture(database.pool, destination);
  if (!ending) return;
  await transaction(database.pool, async (connection) => {
    await endCaptureOn(connection, endingTerms({ form }), ending);
    await sleep(pauseMs);
  });
  produced.acknowledged.set(ending.captureId, Date.now());
  await sendSignal(redis, 'deliveriesDue');
}

/** The number of captures that end at once, as on different workers. */
const concurrency = 8;

/** Produces `count` events at `ratePerS` at most. */
export function produce(
  platform: Platform,
  destinationOf: (index: number) => Destination,
  produced: Produced,
  pace: Omit<Pace, 'concurrency'>,
): Promise<void> {
  return atRate({ ...pace, concurrency }, (index) => produceOne(platform, destinationOf(index), produced));
}

/** Events per transaction, when inserting many. */
const chunkSize = 500;

/** Inserts `count` events for a URL, as the end of a capture does, many per transaction. */
export async function produceMany(
  { form, database, redis }: Platform,
  destination: Destination & { webhookUrl: string },
  produced: Produced,
  count: number,
): Promise<void> {
  for (let remaining = count; remaining > 0; remaining -= chunkSize) {
    const ids = Array.from({ length: Math.min(remaining, chunkSize) }, () => newId('req'));
    await transaction(database.pool, async (connection) => {
      const at = new Date();
      const receivers = await receiversOfEvent(connection, form, destination, 'capture.completed');
      const due: ReceiverKey[] = [];
      for (const id of ids) {
        const event = captureCompleted(form, completed(id, at), at);
        due.push(...(await insertEvent(connection, destination.accountId, receivers, event, { captureId: id, at })));
      }
      await makeReceiversDue(connection, due, at);
    });
    for (const id of ids) produced.acknowledged.set(id, Date.now());
  }
  await sendSignal(redis, 'deliveriesDue');
}

function completed(id: string, at: Date) {
  const image = { format: 'png', width: 1_280, height: 720, file_size: 34_567, duration_ms: 812 };
  const expires_at = at.toISOString();
  return { request_id: id, url, type: 'screenshot', ...image, file_url: fileUrl, expires_at } as const;
}

/** Delivers one event to a receiver, which then counts as prompt and gets all slots that one receiver may have. */
export async function warmUp(
  platform: Platform,
  destination: Destination & { webhookUrl: string },
  produced: Produced,
): Promise<void> {
  await produceMany(platform, destination, produced, 1);
  const isPrompt = async () => {
    const { rows } = await platform.database.pool.query(
      `SELECT EXISTS (SELECT FROM receiver WHERE account_id = $1 AND prompt)
              AND NOT EXISTS (SELECT FROM delivery WHERE account_id = $1 AND status = 'pending') AS prompt`,
      [destination.accountId],
    );
    return rows[0].prompt;
  };
  await waitUntil(isPrompt, { what: 'the receiver to count as prompt' });
}

/**
 * Adds the events of accepted captures to the produced events: each ended capture with a webhook URL has one event,
 * acknowledged when the capture ended.
 */
export async function addEventsOf(
  { database }: Platform,
  submissions: Submissions,
  produced: Produced = nothingProduced(),
): Promise<Produced> {
  const { rows } = await database.pool.query<{ id: string; at: Date }>(
    `SELECT id, completed_at AS at FROM capture WHERE webhook_url IS NOT NULL AND status IN ('completed', 'failed')`,
  );
  for (const { id, at } of rows) {
    if (submissions.accepted.has(id)) produced.acknowledged.set(id, at.getTime());
    else if (!produced.acknowledged.has(id)) produced.uncertain.add(id);
  }
  return produced;
}
