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
import type { Platform } from './platform.ts';

/** Where an event goes: the URL of the request, or (null) what the account registered. */
export interface Destination {
  accountId: string;
  webhookUrl: string | null;
}

/** What went in, by the ids of the requests. */
export interface Produced {
  /** The database said that it is committed; and when it said so, milliseconds. */
  acknowledged: Map<string, number>;
  /** The connection broke before it said anything. */
  uncertain: Set<string>;
}

export const nothingProduced = (): Produced => ({ acknowledged: new Map(), uncertain: new Set() });

const url = 'https://example.com/page';
const fileUrl = 'https://captures.example.com/f/a.png';
const month = () => new Date().toISOString().slice(0, 7);

/** Reserves a capture and takes it, as gateway and worker do; what is left is to end it. */
export async function takeCapture(
  database: Queryable,
  { accountId, webhookUrl }: Destination,
): Promise<CaptureEnding | null> {
  const id = newId('req');
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

/** One event by way of a capture that ends, and the wake-up after it. What the database refuses is nobody's event. */
export async function produceOne(
  { form, database, redis }: Platform,
  destination: Destination,
  produced: Produced,
): Promise<void> {
  const ending = await takeCapture(database.pool, destination).catch(() => null);
  if (!ending) return;
  try {
    const ended = await endCapture(database.pool, endingTerms({ form }), ending);
    if (ended) produced.acknowledged.set(ending.captureId, Date.now());
  } catch {
    produced.uncertain.add(ending.captureId);
    return;
  }
  await sendSignal(redis, 'deliveriesDue');
}

/** The same with a transaction that takes its time between choosing its receivers and the commit, milliseconds. */
export async function produceSlowly(
  { form, database, redis }: Platform,
  destination: Destination,
  produced: Produced,
  pauseMs: number,
): Promise<void> {
  const ending = await takeCapture(database.pool, destination);
  if (!ending) return;
  await transaction(database.pool, async (connection) => {
    await endCaptureOn(connection, endingTerms({ form }), ending);
    await sleep(pauseMs);
  });
  produced.acknowledged.set(ending.captureId, Date.now());
  await sendSignal(redis, 'deliveriesDue');
}

/** Captures that end at once, by different workers. */
const workers = 8;

/** Produces `count` events at `ratePerS` at most, until `stopped` says so. */
export async function produce(
  platform: Platform,
  destinationOf: (index: number) => Destination,
  produced: Produced,
  { count, ratePerS, stopped = () => false }: { count: number; ratePerS: number; stopped?: () => boolean },
): Promise<void> {
  const startedAt = Date.now();
  let next = 0;
  const work = async () => {
    while (next < count && !stopped()) {
      const index = next;
      next += 1;
      const aheadMs = startedAt + (index / ratePerS) * 1_000 - Date.now();
      if (aheadMs > 0) await sleep(aheadMs);
      await produceOne(platform, destinationOf(index), produced);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}

/** Events of one transaction, when there are many to insert. */
const chunkSize = 500;

/** Inserts `count` events for a URL at once, as the end of a capture does, many to a transaction. */
export async function produceMany(
  { form, database, redis }: Platform,
  destination: Destination & { webhookUrl: string },
  produced: Produced,
  count: number,
): Promise<void> {
  for (let left = count; left > 0; left -= chunkSize) {
    const ids = Array.from({ length: Math.min(left, chunkSize) }, () => newId('req'));
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
  const picture = { format: 'png', width: 1_280, height: 720, file_size: 34_567, duration_ms: 812 };
  const expires_at = at.toISOString();
  return { request_id: id, url, type: 'screenshot', ...picture, file_url: fileUrl, expires_at } as const;
}
