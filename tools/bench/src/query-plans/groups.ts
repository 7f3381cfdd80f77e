import type { StatementFinding } from './findings.ts';

/** Statements with one purpose, by source file; a statement belongs to the first group that matches. */
interface Group {
  name: string;
  sources: readonly string[];
  /** Matches the text, where a file serves several purposes. */
  having?: RegExp;
}

const groups: readonly Group[] = [
  { name: 'show and render links', sources: ['find-link-owner', 'link-bounds', 'link-renders', 'link-secret'] },
  { name: 'search captures by URL or type', sources: ['find-capture'], having: /LIMIT 10000|OFFSET 9999/ },
  { name: 'list captures, also by status and batch', sources: ['find-capture'], having: /LIMIT \$/ },
  { name: 'read a capture, fetch a file', sources: ['find-capture', '(Prisma: capture)'] },
  {
    name: 'search deliveries by event',
    sources: ['delivery-conditions', 'find-deliveries'],
    having: /e\.name = \$|OFFSET 9999/,
  },
  {
    name: 'list and read deliveries',
    sources: ['delivery-conditions', 'find-deliveries', '(Prisma: delivery)'],
    having: /lastError|delivery_attempt|"public"/,
  },
  {
    name: 'retry and replay deliveries',
    sources: ['delivery-conditions', 'find-deliveries', 'replay-deliveries', 'retry-delivery'],
  },
  {
    name: 'cleanup jobs: files, responses, sessions and logs',
    sources: [
      'release-files',
      'drop-html',
      'idempotency',
      'sessions',
      'sign-in-links',
      'delete-old-deliveries',
      'worker-heartbeat',
      'dispatcher-heartbeat',
      'deployment-store',
    ],
    having:
      /^(DELETE FROM (idempotency|session WHERE id IN|sign_in_link WHERE id IN|receiver|worker WHERE h|dispatcher WHERE h)|WITH old)|html in rows|expires_at <= \$1|= ANY\(\$1\)|FROM deployment/,
  },
  {
    name: 'cleanup jobs: partitions and retention',
    sources: ['read-partitions', 'drop-partition', 'remove-old-rows', 'delete-old-captures', 'delete-old-deliveries'],
  },
  { name: 'authenticate a request', sources: ['find-key', 'sessions', '(Prisma: session)'] },
  { name: 'sign-in links', sources: ['sign-in-links', 'claim-sign-in-link', 'use-sign-in-link'] },
  { name: 'submit a capture', sources: ['reserve-capture', 'equal-captures', 'idempotency', 'read-queue-state'] },
  {
    name: 'submit, read, list and cancel a batch',
    sources: ['insert-batch', 'find-batch', 'cancel-batch', '(Prisma: batch)'],
  },
  { name: 'cancel a capture, delete its file', sources: ['cancel-capture', 'release-files'] },
  { name: 'schedule captures', sources: ['schedule-captures', 'accounts-apart', 'waiting-accounts'] },
  { name: 'claim a capture and keep its lease', sources: ['claim-capture', 'worker-heartbeat'] },
  { name: 'end a capture: batch, quota, events', sources: ['end-capture', 'batch-progress', 'insert-event'] },
  {
    name: 'claim and start deliveries',
    sources: ['claim-deliveries', 'lock-due-receivers', 'begin-attempt', 'dispatcher-heartbeat'],
  },
  { name: 'record outcomes of deliveries', sources: ['record-attempt', 'record-outcomes', 'endpoint-health'] },
  {
    name: 'register and change endpoints, with their open deliveries',
    sources: ['endpoints', 'change-endpoint', 'endpoint-deliveries', '(Prisma: webhook_endpoint)'],
  },
  { name: 'usage by day, deliveries of an endpoint by day', sources: ['count-usage', 'count-deliveries'] },
  {
    name: 'accounts, keys and secrets',
    sources: ['accounts', 'keys', 'signing-secret', '(Prisma: account)', '(Prisma: api_key)', '(Prisma: usage)'],
  },
  {
    name: 'operator console and metrics',
    sources: ['read-activity', 'read-queues', 'read-bulk-work', 'cleanup-runs', '(Prisma: webhook_endpoint)'],
  },
  { name: 'presets', sources: ['presets', '(Prisma: preset)'] },
  { name: 'recover what was lost', sources: ['recover-captures', 'recover-deliveries', 'receivers'] },
  { name: 'delete an account and all its data', sources: ['remove-account'] },
  { name: 'export a week of records', sources: ['(export)'] },
  { name: 're-encrypt secrets', sources: ['reencrypt-secrets'] },
  { name: 'foreign keys', sources: ['(foreign keys)'] },
];

/** The findings of one group. */
export interface GroupFinding {
  name: string;
  statements: number;
  indexes: string[];
  /** Of the run that read the most. */
  rowsRead: number;
  rowsGiven: number;
  /** Of the statement with the longest median, and of all runs. */
  ms: number;
  slowestMs: number;
}

export function groupOf({ source, text }: StatementFinding): string | undefined {
  return groups.find(({ sources, having }) => sources.includes(source) && (having?.test(text) ?? true))?.name;
}

/** The groups in order; statements that read no table, such as locks, are in none. */
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
