import type { Queryable } from '../database.ts';

/**
 * Reads the id that marks this deployment's files in the store. The id is created with the database and is part of its backups.
 *
 * @throws {Error} if no deployment was set up on this database.
 */
export async function readStoreId(database: Queryable): Promise<string> {
  const { rows } = await database.query('SELECT store_id AS "storeId" FROM deployment');
  if (!rows[0]) throw new Error('no deployment was set up on this database');
  return rows[0].storeId;
}
