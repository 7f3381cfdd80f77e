import { type FileHandle, open } from 'node:fs/promises';
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
    // The total time is logged anyway, and timing each node would slow the statements.
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_format': 'json',
    // These include the statements of foreign keys.
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
  /** The text with single spaces. */
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

interface LogEntry {
  application_name?: string;
  error_severity: string;
  message: string;
  statement?: string;
  state_code?: string;
}

/** The marker is among the last bytes of the log. */
const tailBytes = 100_000;

/**
 * Reads all statements so far of connections with these application names, one after the other. After days of a million
 * captures the log has gigabytes.
 */
export async function* readStatements(
  { pool }: Pick<Database, 'pool'>,
  applications: readonly string[],
): AsyncGenerator<Execution | Refusal> {
  // Started by root, Postgres knows its folder only as its own working directory: see packages/provisioning. The checkpointer
  // stays, while the process of this connection ends with it.
  const { rows } = await pool.query(
    `SELECT current_setting('data_directory') AS directory, pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
  );
  const directory = rows[0].directory.replace('/proc/self/', `/proc/${rows[0].pid}/`);
  // Another process writes the log.
  const marker = `marker of ${process.hrtime.bigint()}`;
  await pool.query(`DO $$ BEGIN RAISE LOG '${marker}'; END $$`);
  const opened = await open(path.join(directory, folder, `${file}.json`));
  try {
    const isWritten = async () => (await readTail(opened)).includes(`"message":"${marker}"`);
    await waitUntil(isWritten, { what: 'the log of all statements to be written' });
    // Parsing the plans of all other connections takes seconds.
    const names = applications.map((name) => `"application_name":${JSON.stringify(name)}`);
    for await (const line of opened.readLines({ autoClose: false })) {
      if (!line.startsWith('{') || !names.some((name) => line.includes(name))) continue;
      const entry = JSON.parse(line) as LogEntry;
      const statement = parseExecution(entry) ?? parseRefusal(entry);
      if (statement && applications.includes(statement.application)) yield statement;
    }
  } finally {
    await opened.close();
  }
}

async function readTail(opened: FileHandle): Promise<Buffer> {
  const { size } = await opened.stat();
  const { buffer, bytesRead } = await opened.read({
    buffer: Buffer.alloc(tailBytes),
    position: Math.max(0, size - tailBytes),
  });
  return buffer.subarray(0, bytesRead);
}

interface Explained {
  'Query Text': string;
  'Query Parameters'?: string;
  Plan: PlanNode;
}

function parseExecution({ message, application_name: application = '' }: LogEntry): Execution | undefined {
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

function parseRefusal(entry: LogEntry): Refusal | undefined {
  const { error_severity: severity, message, statement, application_name: application = '' } = entry;
  return severity === 'ERROR' ? { text: normalised(statement ?? ''), application, why: message } : undefined;
}
