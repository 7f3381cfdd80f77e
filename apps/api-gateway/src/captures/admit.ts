import { monthOf, nextMonth } from '@capture/contract/api/month';
import { ApiError } from '@capture/contract/errors';
import type { CaptureType } from '@capture/contract/events/events';
import { fileExpiresAt } from '@capture/contract/forms/file-expiry';
import type { EventContext } from '@capture/database/captures/end-capture';
import { insertCachedCapture } from '@capture/database/captures/equal-captures';
import { insertBatch, type NewBatch } from '@capture/database/captures/insert-batch';
import { type Reservation, reserveCapture } from '@capture/database/captures/reserve-capture';
import { encryptSecretOptions, visibleOptions } from '@capture/database/captures/secret-options';
import type { Queryable } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import { inSpan } from '@capture/runtime/tracing/trace';
import { type KeyExchange, passed } from '../http/exchange.ts';
import type { RateLimiter } from '../limits/rate-limit.ts';
import { setQuotaHeaders, setRetryAfterHeader } from '../limits/rate-limit-headers.ts';
import type { SharedStatements } from '../limits/shared-statements.ts';

export interface AdmitDependencies extends EventContext {
  statements: Pick<SharedStatements, 'reserve'>;
  rateLimiter: RateLimiter;
  /** Encrypts secret options. */
  encryptor: Encryptor;
  /** Days that files are kept, in place of the plan's. */
  fileRetentionDays?: number | undefined;
}

export interface RequestedCapture {
  type: CaptureType;
  url: string;
  /** As the client gave them. */
  options: Record<string, unknown>;
  webhookUrl: string | null;
  metadata: Record<string, string> | null;
  fingerprint: Buffer;
  /** How old an equal capture may be to be given again, seconds; 0 is none. */
  cacheTtlS: number;
}

export interface RequestedBatch extends Pick<NewBatch, 'id' | 'webhookUrl' | 'sharePage'> {
  /** In the client's order. */
  items: readonly Omit<RequestedCapture, 'webhookUrl' | 'cacheTtlS'>[];
}

declare const admitted: unique symbol;

/**
 * Work that passed the rate and the quota and is recorded. Only this file makes one, so that nothing can be put forward to
 * be enqueued which was not counted.
 */
export interface Admitted {
  readonly [admitted]: true;
  /** The capture's or the batch's. */
  readonly id: string;
  readonly createdAt: Date;
  /** Whether it has ended already, with the file of an equal one. */
  readonly ended: boolean;
  /** Deliveries that are due already. */
  readonly deliveries: number;
}

/**
 * Admits a well-formed capture request: takes a token of the account's rate, then gives an equal capture again or
 * reserves a unit of the month's quota, and records the capture.
 *
 * @param connection of a transaction, if an equal capture may be given again or its `Idempotency-Key` is to be remembered;
 * null where it stands by itself, and may share its statement with others.
 * @throws {ApiError} `RATE_LIMITED` or `QUOTA_EXCEEDED`, each with the seconds to wait.
 */
export async function admitCapture(
  dependencies: AdmitDependencies,
  exchange: KeyExchange,
  capture: RequestedCapture,
  connection: Queryable | null,
): Promise<Admitted> {
  const { form, statements, fileRetentionDays } = dependencies;
  const { caller, requestId, facts } = exchange;
  facts.capture_type = capture.type;
  await takeToken(dependencies, exchange);
  const now = new Date();
  const record = {
    ...capture,
    id: requestId,
    accountId: caller.accountId,
    options: encryptSecretOptions(dependencies.encryptor, requestId, capture.options),
    month: monthOf(now),
    monthlyLimit: caller.plan.monthlyLimit,
  };
  if (connection && capture.cacheTtlS > 0) {
    const shown = { ...record, options: visibleOptions(record.options) };
    const cached = await insertCachedCapture(connection, dependencies, shown, {
      ttlS: capture.cacheTtlS,
      expiresAt: fileExpiresAt(caller.plan, now, fileRetentionDays),
      at: now,
    });
    if (cached) {
      facts.cached = true;
      return { id: requestId, createdAt: now, ended: true, ...cached } as Admitted;
    }
  }
  const reservation = reserved(
    exchange,
    1,
    await inSpan('reserve', {}, () => (connection ? reserveCapture(connection, record) : statements.reserve(record))),
    now,
  );
  setQuotaHeaders(exchange.res, form, caller.plan, reservation, now);
  return { id: requestId, createdAt: reservation.createdAt, ended: false, deliveries: 0 } as Admitted;
}

/** Admits a batch: it is one request for the rate, and a unit of quota for each item, all or none. */
export async function admitBatch(
  dependencies: AdmitDependencies,
  exchange: KeyExchange,
  batch: RequestedBatch,
  connection: Queryable,
): Promise<Admitted> {
  const { caller, facts } = exchange;
  facts.batch_id = batch.id;
  facts.batch_items = batch.items.length;
  await takeToken(dependencies, exchange);
  const now = new Date();
  const items = batch.items.map((item) => {
    const id = newId('req');
    return { ...item, id, options: encryptSecretOptions(dependencies.encryptor, id, item.options) };
  });
  const inserted = await inSpan('reserve', {}, () =>
    insertBatch(connection, {
      ...batch,
      items,
      accountId: caller.accountId,
      month: monthOf(now),
      monthlyLimit: caller.plan.monthlyLimit,
    }),
  );
  const reservation = reserved(exchange, batch.items.length, inserted, now);
  setQuotaHeaders(exchange.res, dependencies.form, caller.plan, reservation, now);
  return { id: batch.id, createdAt: reservation.createdAt, ended: false, deliveries: 0 } as Admitted;
}

async function takeToken({ form, rateLimiter }: AdmitDependencies, exchange: KeyExchange): Promise<void> {
  const { caller, res } = exchange;
  passed(exchange, 'understood');
  const rate = await inSpan('take token', {}, () => rateLimiter.take(caller.accountId, caller.plan, 1));
  setRetryAfterHeader(res, form, rate.waitMs);
  passed(exchange, 'rate');
  if (rate.allowed) return;
  throw new ApiError('RATE_LIMITED', `The plan ${caller.planName} allows ${caller.plan.perSecond} a second.`, {
    retryAfterS: Math.max(1, Math.ceil(rate.waitMs / 1_000)),
  });
}

function reserved({ caller }: KeyExchange, units: number, reservation: Reservation | null, now: Date): Reservation {
  if (reservation) return reservation;
  const reset = nextMonth(now);
  const what = units === 1 ? 'are used up' : `do not hold ${units} more`;
  throw new ApiError(
    'QUOTA_EXCEEDED',
    `The ${caller.plan.monthlyLimit} captures a month of the plan ${caller.planName} ${what} until ${reset.toISOString()}.`,
    { retryAfterS: Math.ceil((reset.getTime() - now.getTime()) / 1_000) },
  );
}
