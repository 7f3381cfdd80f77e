import type { Queryable } from './database.ts';

/**
 * Reads the contract form of the data. The first start of the platform binds the database to a form; before that the result is
 * null.
 */
export async function findContractForm(database: Queryable): Promise<string | null> {
  const { rows } = await database.query('SELECT contract_form AS form FROM deployment WHERE id = 1');
  return rows[0]?.form ?? null;
}
