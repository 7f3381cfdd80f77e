import { openDatabase } from '@capture/database/database';

/** A statement that fills or indexes a whole table, milliseconds. */
const atMostMs = 3_600_000;

/** One connection for statements that take longer than the platform lets any of its own. */
export interface PatientConnection {
  run(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
  close(): Promise<void>;
}

/** @param superuserUrl of a superuser: constraints are taken off and put on again over this connection. */
export async function openPatientConnection(superuserUrl: string): Promise<PatientConnection> {
  const database = openDatabase({ url: superuserUrl, connections: 1 });
  const run = (text: string, values: unknown[] = []) => {
    const statement = { text, values, query_timeout: atMostMs };
    return database.pool.query(statement);
  };
  await run('SET statement_timeout = 0');
  await run(`SET maintenance_work_mem = '1GB'`);
  return { run, close: () => database.close() };
}
