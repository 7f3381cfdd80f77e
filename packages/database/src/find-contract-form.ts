import type { Queryable } from './database.ts';

/** The contract form that the data belongs to, which the first start bound the database to; null before that. */
export async function findContractForm(database: Queryable): Promise<string | null> {
  const { rows } = await database.query('SELECT contract_form AS form FROM deployment WHERE id = 1');
  return rows[0]?.form ?? null;
}
