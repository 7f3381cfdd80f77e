import { type Hit, isSuccess } from '../receiver/hit.ts';
import { faultReporter, type ReportFault } from './check-captures.ts';
import type { Platform } from './platform.ts';
import type { Produced } from './produce-events.ts';

/** The events of a case, accounted for. */
export interface Ledger {
  eventsIn: number;
  /** The number of distinct `webhook-id`s with a 2xx of the receiver. */
  idsOut: number;
  /** Deliveries that ended as `failed`, as the case expects. */
  failed: number;
  /** Events that were neither delivered nor failed. */
  lost: number;
  /** 2xx responses after the first for an event. */
  duplicates: number;
  /** Attempts in the delivery log. */
  attempts: number;
  hits: Hit[];
  /** Discrepancies, a sentence each. */
  faults: string[];
}

export interface Expected {
  produced: Produced;
  /** Requests whose receiver never accepts, so that their deliveries end as `failed`. */
  failing?: ReadonlySet<string>;
  /** Duplicates that the case allows. */
  duplicates: number;
}

interface DeliveryRow {
  eventId: string;
  requestId: string;
  sha256: string;
  status: string;
  leased: boolean;
  attemptCount: number;
  attempts: number;
  /** Attempts that got a response. */
  responses: number;
}

/** Returns the times from each event's commit to its first request, milliseconds, of the hits that match, or of all hits. */
export function latencies(
  { hits }: Pick<Ledger, 'hits'>,
  { acknowledged }: Produced,
  matches: (hit: Hit) => boolean = () => true,
): number[] {
  const first = hits.filter((hit) => hit.number === 1 && matches(hit));
  return first.map(({ requestId, at }) => Math.max(0, at - (acknowledged.get(requestId ?? '') ?? at)));
}

/** Checks the produced events against the receiver's ledger and the delivery log, once everything has settled. */
export async function checkDeliveries(
  platform: Platform,
  { produced, failing, duplicates }: Expected,
): Promise<Ledger> {
  const hits = await platform.receiver.hits();
  const rows = await readDeliveries(platform);
  const faults: string[] = [];
  const report = faultReporter(faults);
  const accepted = hits.filter(({ status }) => isSuccess(status));
  const out = new Set(accepted.map(({ id }) => id));
  const deliveredRequests = new Set(accepted.map(({ requestId }) => requestId ?? ''));
  const failedRows = rows.filter(({ status }) => status === 'failed');
  const lost = [...produced.acknowledged.keys()].filter((id) => !deliveredRequests.has(id) && !failing?.has(id));
  report(lost, 'events were acknowledged and never delivered');
  report(
    hits.filter(({ requestId }) => !isKnown(produced, requestId)).map(({ id }) => id),
    'requests arrived for events that were never produced',
  );
  report(
    failedRows.filter(({ requestId }) => !failing?.has(requestId)).map(({ requestId }) => requestId),
    'deliveries failed unexpectedly',
  );
  const open = rows.filter(({ status, leased }) => leased || !['delivered', 'failed'].includes(status));
  report(
    open.map(({ requestId, status }) => `${requestId} (${status})`),
    'deliveries are still open',
  );
  checkHits(hits, rows, report);
  checkAttempts(hits, rows, platform.lostAttempts, report);
  const repeated = accepted.length - out.size;
  if (repeated > duplicates) faults.push(`${repeated} duplicates; ${duplicates} are explained`);
  return {
    eventsIn: produced.acknowledged.size,
    idsOut: out.size,
    failed: failedRows.length,
    lost: lost.length,
    duplicates: repeated,
    attempts: rows.reduce((sum, { attempts }) => sum + attempts, 0),
    hits,
    faults,
  };
}

function isKnown({ acknowledged, uncertain }: Produced, requestId: string | null): boolean {
  return requestId !== null && (acknowledged.has(requestId) || uncertain.has(requestId));
}

/** Checks that each event has one id, the stored bytes each time, valid signatures, and one request at a time. */
function checkHits(hits: readonly Hit[], rows: readonly DeliveryRow[], report: ReportFault): void {
  const stored = new Map(rows.map((row) => [row.requestId, row]));
  const wrong = hits.filter(({ requestId, id, sha256 }) => {
    const row = stored.get(requestId ?? '');
    return row !== undefined && (row.eventId !== id || row.sha256 !== sha256);
  });
  report(
    wrong.map(({ id }) => id),
    'requests arrived with another id or other bytes than stored',
  );
  report(
    hits.filter(({ signed }) => !signed).map(({ id }) => id),
    'requests were not signed as promised',
  );
  report(
    hits.filter(({ overlapping }) => overlapping).map(({ id }) => id),
    'requests arrived while another of the same event was in progress',
  );
}

/** Checks that each recorded response had a request, and that each request is recorded or was lost. */
function checkAttempts(
  hits: readonly Hit[],
  rows: readonly DeliveryRow[],
  lostAttempts: number,
  report: ReportFault,
): void {
  const hitsOf = new Map<string, number>();
  for (const { id } of hits) hitsOf.set(id, (hitsOf.get(id) ?? 0) + 1);
  const count = ({ eventId }: DeliveryRow) => hitsOf.get(eventId) ?? 0;
  report(
    rows.filter((row) => row.attempts !== row.attemptCount).map(({ requestId }) => requestId),
    'deliveries count other attempts than their log has',
  );
  report(
    rows.filter((row) => row.responses > count(row)).map(({ requestId }) => requestId),
    'deliveries have more responses in their log than requests arrived',
  );
  const unrecorded = rows.reduce((sum, row) => sum + Math.max(0, count(row) - row.attempts), 0);
  if (unrecorded > lostAttempts) {
    report(
      rows.filter((row) => count(row) > row.attempts).map(({ requestId }) => requestId),
      `deliveries have fewer attempts in their log than requests arrived (${unrecorded}, ${lostAttempts} of them explained)`,
    );
  }
}

async function readDeliveries({ database }: Platform): Promise<DeliveryRow[]> {
  const { rows } = await database.pool.query<DeliveryRow>(
    `SELECT e.id AS "eventId", e.capture_id AS "requestId", encode(sha256(e.body), 'hex') AS sha256, d.status,
            d.lease_until IS NOT NULL AS leased, d.attempt_count AS "attemptCount",
            coalesce(a.attempts, 0)::int AS attempts, coalesce(a.responses, 0)::int AS responses
       FROM delivery d JOIN event e ON e.id = d.event_id
       LEFT JOIN (SELECT delivery_id, count(*) AS attempts, count(status) AS responses
                    FROM delivery_attempt GROUP BY delivery_id) a ON a.delivery_id = d.id`,
  );
  return rows;
}
