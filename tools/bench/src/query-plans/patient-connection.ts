import { openDatabase } from '@capture/database/open-database';

/** Time limit of statements that fill or index a whole table, milliseconds. */
const atMostMs = 3_600_000;

/** A connection for statements that exceed the platform's time limit. */
export interface PatientConnection {
  run(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
  close(): Promise<void>;
}

/** @param superuserUrl the URL of a superuser, because this connection drops and recreates constraints. */
export async function openPatientConnection(superuserUrl: string): Promise<PatientConnection> {
  const database = openDatabase({ url: superuserUrl, connections: 1 });
  const run = async (text: string, values: unknown[] = []) => {
    // The settings must be repeated, because the pool replaces a connection that was idle for half a minute.
    await database.pool.query(`SET statement_timeout = 0; SET maintenance_work_mem = '1GB'`);
    const statement = { text, values, query_timeout: atMostMs };
    return database.pool.query(statement);
  };
  return { run, close: () => database.close() };
}
