import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '@capture/database/database';
import { waitUntil } from '@capture/testing/wait-until';
import { type PlanFacts, type PlanNode, readPlan } from './read-plan.ts';
import { normalised } from './statement-sources.ts';

const folder = 'log';
const file = 'statements';

/** Postgres settings for logging the plan of every statement, once `logPlans` was called. */
export const loggingSettings: Record<string, string> = {
  shared_preload_libraries: 'auto_explain',
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: folder,
  log_filename: file,
  log_rotation_age: '0',
  log_rotation_size: '0',
};

/** Logs the executed plan of every statement of new connections. */
export async function logPlans({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const settings = {
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    // The total time is logged anyway; timing each node would slow the statements.
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_format': 'json',
    // Also those of foreign keys.
    'auto_explain.log_nested_statements': 'on',
    // A batch's parameter is its whole body.
    'auto_explain.log_parameter_max_length': '60',
  };
  for (const [name, value] of Object.entries(settings)) {
    await pool.query(`ALTER DATABASE capture SET ${name} = '${value}'`);
  }
}

/** One execution of a statement. */
export interface Execution extends PlanFacts {
  /** With single spaces. */
  text: string;
  /** The application name of the connection. */
  application: string;
  ms: number;
  /** Its parameters, truncated. */
  parameters: string;
  plan: PlanNode;
}

/** A statement that Postgres refused or canceled. */
export interface Refusal {
  text: string;
  application: string;
  why: string;
}

export interface StatementLog {
  executions: Execution[];
  refusals: Refusal[];
}

interface LogEntry {
  application_name?: string;
  error_severity: string;
  message: string;
  statement?: string;
  state_code?: string;
}

/** Reads all statements so far of connections with these application names. */
export async function readStatements(
  { pool }: Pick<Database, 'pool'>,
  applications: readonly string[],
): Promise<StatementLog> {
  // Another process writes the log: the marker is its last entry.
  const marker = `marker of ${process.hrtime.bigint()}`;
  await pool.query(`DO $$ BEGIN RAISE LOG '${marker}'; END $$`);
  // Started by root, Postgres knows its folder only as its own working directory: see packages/provisioning. The checkpointer
  // stays, while the process of this connection ends with it.
  const { rows } = await pool.query(
    `SELECT current_setting('data_directory') AS directory, pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
  );
  const directory = rows[0].directory.replace('/proc/self/', `/proc/${rows[0].pid}/`);
  const log = path.join(directory, folder, `${file}.json`);
  const isOfThese = ({ application_name: name = '' }: LogEntry) => applications.includes(name);
  // Parsing the plans of all others takes seconds.
  const names = applications.map((name) => `"application_name":${JSON.stringify(name)}`);
  const read = async () => {
    const lines: string[] = [];
    const opened = await open(log);
    try {
      // Line by line: after a day of a million captures it is too long for a string.
      for await (const line of opened.readLines({ autoClose: false })) {
        if (line.includes(`"message":"${marker}"`)) return lines;
        if (line.startsWith('{') && names.some((name) => line.includes(name))) lines.push(line);
      }
      return undefined;
    } finally {
      await opened.close();
    }
  };
  const lines = await waitUntil(read, { what: 'the log of all statements to be written' });
  const entries = lines.map((line) => JSON.parse(line) as LogEntry).filter(isOfThese);
  return {
    executions: entries.flatMap((entry) => executionOf(entry) ?? []),
    refusals: entries.flatMap((entry) => refusalOf(entry) ?? []),
  };
}

interface Explained {
  'Query Text': string;
  'Query Parameters'?: string;
  Plan: PlanNode;
}

function executionOf({ message, application_name: application = '' }: LogEntry): Execution | undefined {
  const found = /^duration: ([\d.]+) ms {2}plan:\n(.+)$/s.exec(message);
  if (!found) return undefined;
  const explained = JSON.parse(found[2] ?? '') as Explained;
  return {
    text: normalised(explained['Query Text']),
    application,
    ms: Number(found[1]),
    parameters: explained['Query Parameters'] ?? '',
    plan: explained.Plan,
    ...readPlan(explained.Plan),
  };
}

function refusalOf({ error_severity: severity, message, statement, application_name = '' }: LogEntry) {
  if (severity !== 'ERROR') return undefined;
  return { text: normalised(statement ?? ''), application: application_name, why: message };
}
