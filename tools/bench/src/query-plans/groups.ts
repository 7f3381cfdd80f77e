import type { StatementFinding } from './findings.ts';

/** Statements that serve one purpose, by the files that they are written in; the first group that fits has a statement. */
interface Group {
  name: string;
  sources: readonly string[];
  /** What the text has, where a file serves several purposes. */
  having?: RegExp;
}

const groups: readonly Group[] = [
  { name: 'captures listed by type', sources: ['find-capture'], having: /c\.type = \$/ },
  { name: 'captures listed, by status and batch too', sources: ['find-capture'], having: /LIMIT \$1/ },
  { name: 'a capture read, a file fetched', sources: ['find-capture'] },
  { name: 'deliveries listed by event', sources: ['delivery-range'], having: /e\.name = \$/ },
  {
    name: 'deliveries listed and read',
    sources: ['delivery-range', 'find-delivery'],
    having: /lastError|delivery_attempt/,
  },
  {
    name: 'deliveries retried and replayed',
    sources: ['delivery-range', 'replay-deliveries', 'retry-delivery', 'count-replayable'],
  },
  {
    name: 'sweeps of files, answers, sessions and logs',
    sources: ['release-files', 'remember-answer', 'sessions', 'forget-deliveries', 'heartbeat', 'dispatcher-heartbeat'],
    having:
      /^(DELETE FROM (idempotency|session WHERE id IN|receiver|worker WHERE h|dispatcher WHERE h)|WITH old)|expires_at <= \$1|= ANY\(\$1\)/,
  },
  { name: 'the caller of a request', sources: ['find-key', 'sessions'] },
  {
    name: 'a capture asked for',
    sources: [
      'reserve-capture',
      'reserve-captures',
      'insert-cached-capture',
      'find-equal-capture',
      'remember-answer',
      'read-outlook',
    ],
  },
  { name: 'a batch asked for, read, listed, cancelled', sources: ['insert-batch', 'find-batch', 'cancel-batch'] },
  { name: 'a capture cancelled, its file deleted', sources: ['cancel-capture', 'release-files'] },
  { name: 'whose turn it is', sources: ['mark-enqueued'] },
  { name: 'a capture taken and kept', sources: ['claim-capture', 'heartbeat', 'release-capture'] },
  {
    name: 'a capture ended: batch, quota, events',
    sources: ['end-capture', 'batch-progress', 'receivers-of-event', 'insert-event', 'make-receivers-due'],
  },
  { name: 'deliveries claimed and begun', sources: ['claim-deliveries', 'begin-attempt', 'dispatcher-heartbeat'] },
  {
    name: 'outcomes of deliveries',
    sources: ['record-attempt', 'record-successes', 'free-place', 'endpoint-health', 'hold-delivery', 'return-claims'],
  },
  {
    name: 'endpoints, and what is open for them',
    sources: [
      'register-endpoint',
      'change-endpoint',
      'delete-endpoint',
      'find-endpoints',
      'rotate-endpoint-secret',
      'pause-deliveries',
    ],
  },
  { name: 'usage by the day', sources: ['count-usage'] },
  {
    name: 'accounts, keys and secrets',
    sources: [
      'find-accounts',
      'change-account',
      'create-account',
      'insert-key',
      'list-keys',
      'revoke-key',
      'rotate-key',
      'signing-secret',
    ],
  },
  {
    name: "the operator's desk and the metrics",
    sources: [
      'read-activity',
      'busiest-accounts',
      'failing-receivers',
      'read-queues',
      'read-waiting-accounts',
      'read-endpoint-states',
      'sweeper-runs',
    ],
  },
  {
    name: 'what was lost is found',
    sources: ['recover-captures', 'recover-receivers', 'requeue-captures', 'drop-lost-attempts'],
  },
  { name: 'an account and all that it has removed', sources: ['delete-account', 'remove-account'] },
  { name: 'secrets sealed anew', sources: ['reseal-secrets'] },
  { name: 'foreign keys', sources: ['(foreign keys)'] },
];

/** What is known of the statements of one group together. */
export interface GroupFinding {
  name: string;
  statements: number;
  indexes: string[];
  /** Of the run that read most. */
  rowsRead: number;
  rowsGiven: number;
  /** Of the statement whose middle run took longest, and of all runs. */
  ms: number;
  slowestMs: number;
}

export function groupOf({ source, text }: StatementFinding): string | undefined {
  return groups.find(({ sources, having }) => sources.includes(source) && (having?.test(text) ?? true))?.name;
}

/** The groups in their order; statements that read no table, such as those that take a lock, are in none. */
export function grouped(statements: readonly StatementFinding[]): GroupFinding[] {
  return groups.flatMap(({ name }) => {
    const own = statements.filter((statement) => groupOf(statement) === name);
    const [most] = [...own].sort((a, b) => b.rowsRead - a.rowsRead);
    if (!most) return [];
    return {
      name,
      statements: own.length,
      indexes: [...new Set(own.flatMap(({ indexes }) => indexes))].sort(),
      rowsRead: most.rowsRead,
      rowsGiven: most.rowsGiven,
      ms: Math.max(...own.map(({ ms }) => ms)),
      slowestMs: Math.max(...own.map(({ slowestMs }) => slowestMs)),
    };
  });
}
