import type { Queryable } from './database.ts';

/** Reads the contract form that the first start of the platform bound the database to; null before that. */
export async function findContractForm(database: Queryable): Promise<string | null> {
  const { rows } = await database.query('SELECT contract_form AS form FROM deployment WHERE id = 1');
  return rows[0]?.form ?? null;
}
