import { monthOf, nextMonth } from '@capture/contract/api/month';
import { ApiError } from '@capture/contract/errors';
import type { CaptureType } from '@capture/contract/events/events';
import { fileExpiresAt } from '@capture/contract/forms/file-expiry';
import type { EventContext } from '@capture/database/captures/end-capture';
import { insertCachedCapture } from '@capture/database/captures/equal-captures';
import { insertBatch, type NewBatch } from '@capture/database/captures/insert-batch';
import { readUsage, reserveCapture } from '@capture/database/captures/reserve-capture';
import { encryptSecretOptions } from '@capture/database/captures/secret-options';
import { visibleOptions, withHtmlFile } from '@capture/database/captures/stored-options';
import type { Database, Queryable } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import type { Encryptor } from '@capture/database/encryption';
import { inSpan } from '@capture/runtime/tracing/trace';
import { htmlKey } from '@capture/storage/file-key';
import type { KeyExchange } from '../http/exchange.ts';
import { setQuotaHeaders } from '../limits/rate-limit-headers.ts';
import type { SharedStatements } from '../limits/shared-statements.ts';
import { type TokenDependencies, takeToken } from '../limits/take-token.ts';
import type { HtmlFiles } from './html-files.ts';

export interface AdmitDependencies extends EventContext, TokenDependencies {
  database: Database;
  statements: Pick<SharedStatements, 'reserve'>;
  /** Encrypts secret options. */
  encryptor: Encryptor;
  /** Days that files are kept; overrides the plan. */
  fileRetentionDays?: number | undefined;
}

export interface RequestedCapture {
  type: CaptureType;
  url: string;
  /** The options as the client sent them. */
  options: Record<string, unknown>;
  webhookUrl: string | null;
  metadata: Record<string, string> | null;
  fingerprint: Buffer;
  /** Maximum age of an equal capture to reuse, in seconds; 0 disables reuse. */
  cacheTtlS: number;
}

export interface RequestedBatch extends Pick<NewBatch, 'id' | 'webhookUrl'> {
  /** The items in the client's order. */
  items: readonly (Omit<RequestedCapture, 'webhookUrl' | 'cacheTtlS'> & { id: string })[];
}

declare const admitted: unique symbol;

/** Recorded work within rate limit and quota. Only this file creates `Admitted`, so no uncounted work can be enqueued. */
export interface Admitted {
  readonly [admitted]: true;
  /** The id of the capture or batch. */
  readonly id: string;
  readonly createdAt: Date;
  /** Whether the capture ended at once with the file of an equal capture. */
  readonly ended: boolean;
  /** Number of deliveries that are due now. */
  readonly deliveries: number;
}

/**
 * Admits a valid capture request: takes a token from the account's rate limit, then reuses an equal capture or reserves a unit
 * of the monthly quota, and records the capture.
 *
 * @param html the page, if the client submits one.
 * @param connection of a transaction, if the request may reuse an equal capture or stores its response for an
 * `Idempotency-Key`; null to reserve in a statement shared with other requests.
 * @throws {ApiError} `RATE_LIMITED` or `QUOTA_EXCEEDED`, each with the seconds to wait; `OVERLOADED` if the page cannot be
 * stored.
 */
export async function admitCapture(
  dependencies: AdmitDependencies,
  exchange: KeyExchange,
  capture: RequestedCapture,
  html: Pick<HtmlFiles, 'store'>,
  connection: Queryable | null,
): Promise<Admitted> {
  const { form, statements, fileRetentionDays } = dependencies;
  const { caller, requestId, facts } = exchange;
  facts.capture_type = capture.type;
  await takeToken(dependencies, exchange);
  const now = databaseNow();
  const record = {
    ...capture,
    id: requestId,
    accountId: caller.accountId,
    options: storableOptions(dependencies, requestId, capture.options),
    month: monthOf(now),
    monthlyLimit: caller.plan.monthlyLimit,
  };
  if (connection && capture.cacheTtlS > 0) {
    const visible = { ...record, options: visibleOptions(record.options) };
    const cached = await insertCachedCapture(connection, dependencies, visible, {
      ttlS: capture.cacheTtlS,
      expiresAt: fileExpiresAt(caller.plan, now, fileRetentionDays),
      at: now,
    });
    if (cached) {
      facts.cached = true;
      return { id: requestId, createdAt: now, ended: true, ...cached } as Admitted;
    }
  }
  await html.store();
  const reservation = await inSpan('reserve', {}, () =>
    connection ? reserveCapture(connection, record) : statements.reserve(record),
  );
  if (!reservation) throw await quotaExceeded(dependencies, exchange, { units: 1, connection, now });
  setQuotaHeaders(exchange.res, form, caller.plan, reservation, now);
  return { id: requestId, createdAt: reservation.createdAt, ended: false, deliveries: 0 } as Admitted;
}

/** Admits a batch: it counts as one request for the rate limit, and reserves a unit of quota for each item, or none. */
export async function admitBatch(
  dependencies: AdmitDependencies,
  exchange: KeyExchange,
  batch: RequestedBatch,
  html: Pick<HtmlFiles, 'store'>,
  connection: Queryable,
): Promise<Admitted> {
  const { caller, facts } = exchange;
  facts.batch_id = batch.id;
  facts.batch_items = batch.items.length;
  await takeToken(dependencies, exchange);
  const now = databaseNow();
  await html.store();
  const items = batch.items.map((item) => ({
    ...item,
    options: storableOptions(dependencies, item.id, item.options),
  }));
  const reservation = await inSpan('reserve', {}, () =>
    insertBatch(connection, {
      ...batch,
      items,
      accountId: caller.accountId,
      month: monthOf(now),
      monthlyLimit: caller.plan.monthlyLimit,
    }),
  );
  if (!reservation) {
    throw await quotaExceeded(dependencies, exchange, { units: batch.items.length, connection, now });
  }
  setQuotaHeaders(exchange.res, dependencies.form, caller.plan, reservation, now);
  return { id: batch.id, createdAt: reservation.createdAt, ended: false, deliveries: 0 } as Admitted;
}

/** Returns the options as the row of the capture stores them. */
function storableOptions(
  { encryptor }: AdmitDependencies,
  id: string,
  options: Record<string, unknown>,
): Record<string, unknown> {
  const stored = encryptSecretOptions(encryptor, id, options);
  return options.html === undefined ? stored : withHtmlFile(stored, htmlKey(id));
}

async function quotaExceeded(
  { form, database }: AdmitDependencies,
  { caller, res }: KeyExchange,
  refused: { units: number; connection: Queryable | null; now: Date },
): Promise<ApiError> {
  const { units, now } = refused;
  const { accountId, plan, planName } = caller;
  // Other requests have used the quota since this one was authenticated.
  const { used, reserved } = await readUsage(refused.connection ?? database.pool, { accountId, month: monthOf(now) });
  // After the refusal a unit may have been refunded; the message must not contradict the refusal.
  const atLeast = (plan.monthlyLimit ?? 0) - units + 1;
  setQuotaHeaders(res, form, plan, { used, reserved: Math.max(reserved, atLeast - used) }, now);
  const reset = nextMonth(now);
  const retryAfterS = Math.ceil((reset.getTime() - now.getTime()) / 1_000);
  if (units > (plan.monthlyLimit ?? 0)) {
    const message = `This batch needs ${units} captures, more than the monthly quota of the plan ${planName}: ${plan.monthlyLimit}.`;
    // The contract requires the header on every response with this code, though the same batch fails next month too.
    return new ApiError('QUOTA_EXCEEDED', message, { retryAfterS });
  }
  const reason = units === 1 ? 'are used up' : `do not leave room for ${units} more`;
  const message = `The ${plan.monthlyLimit} captures a month of the plan ${planName} ${reason} until ${reset.toISOString()}.`;
  return new ApiError('QUOTA_EXCEEDED', message, { retryAfterS });
}
