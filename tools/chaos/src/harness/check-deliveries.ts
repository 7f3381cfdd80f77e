import { type Hit, isSuccess } from '../receiver/hit.ts';
import type { Platform } from './platform.ts';
import type { Produced } from './produce-events.ts';

/** What a case came to: events in against ids out. */
export interface Ledger {
  eventsIn: number;
  /** Distinct `webhook-id`s that a receiver answered with 2xx. */
  idsOut: number;
  /** Deliveries that ended as `failed`, as the case wants it. */
  failed: number;
  /** Events that are neither. */
  lost: number;
  /** 2xx answers beyond the first of an event. */
  duplicates: number;
  /** Attempts in the delivery log. */
  attempts: number;
  hits: Hit[];
  /** What does not add up, one sentence each. */
  faults: string[];
}

export interface Expected {
  produced: Produced;
  /** Requests whose receiver never takes anything: their deliveries end as `failed`. */
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
  /** Attempts that got an answer. */
  answered: number;
}

/** From each event's commit to its first delivery, milliseconds: of those that `matches`, or all. */
export function latencies(
  { hits }: Pick<Ledger, 'hits'>,
  { acknowledged }: Produced,
  matches: (hit: Hit) => boolean = () => true,
): number[] {
  const first = hits.filter((hit) => hit.number === 1 && matches(hit));
  return first.map(({ requestId, at }) => Math.max(0, at - (acknowledged.get(requestId ?? '') ?? at)));
}

/** Holds what went in against the receiver's ledger and the delivery log, when all has come to its end. */
export async function balance(platform: Platform, { produced, failing, duplicates }: Expected): Promise<Ledger> {
  const hits = await platform.receiver.hits();
  const rows = await readDeliveries(platform);
  const faults: string[] = [];
  const fault = (found: readonly string[], what: string) => {
    if (found.length > 0) faults.push(`${found.length} ${what}: ${found.slice(0, 3).join(', ')}`);
  };
  const taken = hits.filter(({ answered }) => isSuccess(answered));
  const out = new Set(taken.map(({ id }) => id));
  const deliveredRequests = new Set(taken.map(({ requestId }) => requestId ?? ''));
  const failedRows = rows.filter(({ status }) => status === 'failed');
  const lost = [...produced.acknowledged.keys()].filter((id) => !deliveredRequests.has(id) && !failing?.has(id));
  fault(lost, 'events were acknowledged and never delivered');
  fault(
    hits.filter(({ requestId }) => !isKnown(produced, requestId)).map(({ id }) => id),
    'requests came for events that nobody produced',
  );
  fault(
    failedRows.filter(({ requestId }) => !failing?.has(requestId)).map(({ requestId }) => requestId),
    'deliveries were given up',
  );
  const open = rows.filter(({ status, leased }) => leased || !['delivered', 'failed'].includes(status));
  fault(
    open.map(({ requestId, status }) => `${requestId} (${status})`),
    'deliveries are still open',
  );
  faultsOfHits(hits, rows, fault);
  faultsOfAttempts(hits, rows, platform.lostAttempts, fault);
  const repeated = taken.length - out.size;
  if (repeated > duplicates) faults.push(`${repeated} duplicates, where ${duplicates} are explained`);
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

type Fault = (found: readonly string[], what: string) => void;

/** One id an event, the stored bytes each time, signed. */
function faultsOfHits(hits: readonly Hit[], rows: readonly DeliveryRow[], fault: Fault): void {
  const stored = new Map(rows.map((row) => [row.requestId, row]));
  const wrong = hits.filter(({ requestId, id, sha256 }) => {
    const row = stored.get(requestId ?? '');
    return row !== undefined && (row.eventId !== id || row.sha256 !== sha256);
  });
  fault(
    wrong.map(({ id }) => id),
    'requests came with another id or other bytes than were stored',
  );
  fault(
    hits.filter(({ signed }) => !signed).map(({ id }) => id),
    'requests were not signed as promised',
  );
  fault(
    hits.filter(({ overlapping }) => overlapping).map(({ id }) => id),
    'requests came while another of the same event was under way',
  );
}

/** Each recorded answer was somebody's request, and a request that is not recorded is one that was lost. */
function faultsOfAttempts(
  hits: readonly Hit[],
  rows: readonly DeliveryRow[],
  lostAttempts: number,
  fault: Fault,
): void {
  const hitsOf = new Map<string, number>();
  for (const { id } of hits) hitsOf.set(id, (hitsOf.get(id) ?? 0) + 1);
  const count = ({ eventId }: DeliveryRow) => hitsOf.get(eventId) ?? 0;
  fault(
    rows.filter((row) => row.attempts !== row.attemptCount).map(({ requestId }) => requestId),
    'deliveries count other attempts than their log has',
  );
  fault(
    rows.filter((row) => row.answered > count(row)).map(({ requestId }) => requestId),
    'deliveries have more answers in their log than requests came',
  );
  const unrecorded = rows.reduce((sum, row) => sum + Math.max(0, count(row) - row.attempts), 0);
  if (unrecorded > lostAttempts) {
    fault(
      rows.filter((row) => count(row) > row.attempts).map(({ requestId }) => requestId),
      `deliveries have fewer attempts in their log than requests came (${unrecorded}, ${lostAttempts} of them explained)`,
    );
  }
}

async function readDeliveries({ database }: Platform): Promise<DeliveryRow[]> {
  const { rows } = await database.pool.query<DeliveryRow>(
    `SELECT e.id AS "eventId", e.capture_id AS "requestId", encode(sha256(e.body), 'hex') AS sha256, d.status,
            d.lease_until IS NOT NULL AS leased, d.attempt_count AS "attemptCount",
            coalesce(a.attempts, 0)::int AS attempts, coalesce(a.answered, 0)::int AS answered
       FROM delivery d JOIN event e ON e.id = d.event_id
       LEFT JOIN (SELECT delivery_id, count(*) AS attempts, count(status) AS answered
                    FROM delivery_attempt GROUP BY delivery_id) a ON a.delivery_id = d.id`,
  );
  return rows;
}
