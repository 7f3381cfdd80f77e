import pg from 'pg';

/**
 * Binds a database to a contract form at the first start and returns that form at every later start. Two deployments that start
 * at once agree, because the row is inserted once.
 *
 * @returns the form of the data; if it is not the requested form, the deployment must not start.
 */
export async function bindContractForm(databaseUrl: string, contractForm: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('INSERT INTO deployment (id, contract_form) VALUES (1, $1) ON CONFLICT (id) DO NOTHING', [
      contractForm,
    ]);
    const { rows } = await client.query('SELECT contract_form FROM deployment WHERE id = 1');
    return rows[0].contract_form;
  } finally {
    await client.end();
  }
}
