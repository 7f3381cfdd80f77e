import { randomBytes } from 'node:crypto';
import { monthOf } from '@capture/contract/api/month';
import { forms } from '@capture/contract/forms/forms';
import { claimSignInLink } from '@capture/database/accounts/claim-sign-in-link';
import { findAccountOfSession } from '@capture/database/accounts/find-key';
import {
  endSignInLink,
  insertSignInLink,
  newLinkToken,
  postponeSignInLink,
} from '@capture/database/accounts/sign-in-links';
import { readSigningSecrets } from '@capture/database/accounts/signing-secret';
import { useSignInLink } from '@capture/database/accounts/use-sign-in-link';
import { noteApart } from '@capture/database/captures/accounts-apart';
import { cancelCapture } from '@capture/database/captures/cancel-capture';
import { releaseCapture } from '@capture/database/captures/claim-capture';
import type { EventContext } from '@capture/database/captures/end-capture';
import { readUsage, reserveCapture } from '@capture/database/captures/reserve-capture';
import { readStoreId } from '@capture/database/cleanup/deployment-store';
import type { Database } from '@capture/database/database';
import {
  beginAttempt,
  beginAttempts,
  type DeliveryAttempt,
  holdDelivery,
} from '@capture/database/deliveries/begin-attempt';
import { lockDueReceivers } from '@capture/database/deliveries/lock-due-receivers';
import type { AttemptOutcome } from '@capture/database/deliveries/next-state';
import { releaseSlot } from '@capture/database/deliveries/receivers';
import { recordAttempt } from '@capture/database/deliveries/record-attempt';
import { recordOutcomes } from '@capture/database/deliveries/record-outcomes';
import { returnClaims } from '@capture/database/deliveries/recover-deliveries';
import { nothingBlocked } from '@capture/database/deliveries/share-slots';
import type { Encryptor } from '@capture/database/encryption';
import { noteEndpointHealth } from '@capture/database/endpoints/endpoint-health';
import { readEndpointSecrets } from '@capture/database/endpoints/endpoints';
import { newId } from '@capture/database/ids';
import { forgetLinkBounds } from '@capture/database/links/link-bounds';
import {
  claimEqualRender,
  claimLinkRender,
  forgetLinkRenders,
  isRendering,
} from '@capture/database/links/link-renders';
import type { NamedAccount } from './population.ts';

interface RareTerms extends EventContext {
  encryptor: Encryptor;
  account: NamedAccount;
}

/** The number of deliveries to claim. Each function that takes a delivery gets one. */
const claimed = 8;

/**
 * Runs statements that a session meets only by chance: for lost, locked or full things, or for the other form of the contract.
 * All run in one transaction that is rolled back.
 */
export async function playRare(database: Database, terms: RareTerms): Promise<void> {
  const { encryptor, account } = terms;
  await readSigningSecrets(database, encryptor, account.id);
  await readEndpointSecrets(database, encryptor, { id: account.endpointIds[0] ?? '', accountId: account.id });
  await undone(database, async (pool) => {
    const at = new Date();
    const [first, second, third, fourth, fifth, sixth, ...rest] = (await claimSome(pool, account)) as [
      DeliveryAttempt,
      DeliveryAttempt,
      DeliveryAttempt,
      DeliveryAttempt,
      DeliveryAttempt,
      DeliveryAttempt,
      ...DeliveryAttempt[],
    ];
    await beginAttempt(pool, terms.form, first, { dispatcherId: 'rare', at });
    await beginAttempts(pool, terms.form, rest, { dispatcherId: 'rare', at });
    await recordAttempt(pool, terms.form, first, outcome(at, null));
    await recordAttempt(pool, terms.form, second, outcome(at, 'timeout'));
    await recordAttempt(pool, forms.A, third, outcome(at, null));
    await recordOutcomes(pool, forms.A, [{ delivery: fourth, outcome: outcome(at, null) }]);
    await noteApart(pool, account.id);
    await noteEndpointHealth(pool, first, outcome(at, 'timeout'), 'failed');
    await pool.query(`UPDATE webhook_endpoint SET failing_since = now() - interval '6 days' WHERE id = $1`, [
      first.webhookId,
    ]);
    await noteEndpointHealth(pool, { ...first, failingSince: new Date(0) }, outcome(at, 'timeout'), 'failed');
    await holdDelivery(pool, fifth, at);
    await pool.query(`UPDATE webhook_endpoint SET status = 'active', url = 'https://moved.example/' WHERE id = $1`, [
      sixth.webhookId,
    ]);
    await holdDelivery(pool, sixth, at);
    await returnClaims(pool, rest, at);
    await lockDueReceivers(pool, nothingBlocked, at, Infinity, { after: '' });
    await releaseSlot(pool, { ...first, endedAt: at, prompt: true, nextAttemptAt: null });

    const capture = { ...captureOf(account), id: newId('req') };
    await reserveCapture(pool, capture);
    await readUsage(pool, capture);
    await cancelCapture(pool, terms, capture.id);
    await releaseCapture(pool, { id: capture.id, attempt: 1 });

    await pool.query(`INSERT INTO deployment (contract_form) VALUES ('B') ON CONFLICT DO NOTHING`);
    await readStoreId(pool);
    await playSignInLinks(pool, account.id);
    const target = { accountId: account.id, type: 'screenshot', fingerprint: randomBytes(32) } as const;
    for (const captureId of [newId('req'), newId('req')]) await claimLinkRender(pool, target, { captureId, ttlS: 60 });
    await claimEqualRender(pool, { ...target, captureId: newId('req') });
    await isRendering(pool, capture.id);
    await forgetLinkRenders(pool);
    await forgetLinkBounds(pool);
  });
}

/** Requests, sends, fails to send and uses sign-in links. */
async function playSignInLinks(pool: Database['pool'], accountId: string): Promise<void> {
  const { rows } = await pool.query('SELECT email FROM account WHERE id = $1', [accountId]);
  await pool.query(`UPDATE sign_in_link SET requested_at = requested_at - interval '30 hours' WHERE account_id = $1`, [
    accountId,
  ]);
  const claim = async (email: string) => {
    const { hash } = newLinkToken();
    await insertSignInLink(pool, email);
    const link = await claimSignInLink(pool, hash, Infinity);
    return typeof link === 'string' ? null : { id: link.id, hash };
  };
  const sent = await claim(rows[0].email);
  if (!sent) throw new Error('no sign-in link was claimed');
  await endSignInLink(pool, sent.id);
  const createdAt = new Date();
  const session = await useSignInLink(pool, sent.hash, { createdAt, expiresAt: new Date(Date.now() + 60_000) });
  if (session === null || session === 'suspended') throw new Error('the sign-in link did not work');
  await findAccountOfSession(pool, { id: session.sessionId, accountId }, monthOf(createdAt));
  const failed = await claim(rows[0].email);
  for (const retryAfterS of [60, null]) await postponeSignInLink(pool, failed?.id ?? '', retryAfterS);
  await claim('unknown@example.com');
}

/** Claims ended deliveries as a dispatcher does. Due deliveries may be gone at any moment. */
async function claimSome({ query }: Database['pool'], { id, endpointIds }: NamedAccount): Promise<DeliveryAttempt[]> {
  const { rows } = await query(
    `UPDATE delivery SET status = 'pending', attempt = attempt + 1, lease_until = now() + interval '1 hour',
            next_attempt_at = now() + interval '1 hour'
      WHERE id IN (SELECT id FROM delivery WHERE webhook_id = $1 AND status = 'delivered' ORDER BY id DESC LIMIT $2)
    RETURNING id, attempt, account_id AS "accountId", webhook_id AS "webhookId", url, host, event_id AS "eventId",
              attempt_count AS "attemptCount", retries_used AS "retriesUsed", 'schedule' AS trigger, NULL AS "failingSince"`,
    [endpointIds[1], claimed],
  );
  if (rows.length < claimed) throw new Error(`${id} has too few deliveries`);
  return rows;
}

function outcome(at: Date, error: string | null): AttemptOutcome {
  return { startedAt: at, endedAt: at, status: error === null ? 200 : null, error, responseExcerpt: null };
}

function captureOf({ id }: NamedAccount) {
  return {
    accountId: id,
    type: 'screenshot' as const,
    url: 'https://example.com/',
    options: {},
    webhookUrl: null,
    metadata: null,
    fingerprint: randomBytes(32),
    month: monthOf(new Date()),
    monthlyLimit: null,
  };
}

/** Gives a pool of one connection whose transactions are all parts of one transaction, which is rolled back. */
async function undone(
  { pool }: Pick<Database, 'pool'>,
  work: (pool: Database['pool']) => Promise<void>,
): Promise<void> {
  const connection = await pool.connect();
  const isOfTransaction = (text: unknown) => typeof text === 'string' && /^(BEGIN|COMMIT|ROLLBACK)/.test(text);
  const query = async (statement: string, values?: unknown[]) =>
    connection.query(isOfTransaction(statement) ? 'SELECT 1' : statement, values);
  const client = { query, on: () => client, off: () => client, release: () => {} };
  try {
    await connection.query('BEGIN');
    await work({ query, connect: async () => client } as unknown as Database['pool']);
  } finally {
    await connection.query('ROLLBACK');
    connection.release();
  }
}
