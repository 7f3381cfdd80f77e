import { type Client, send } from '../harness/client.ts';
import { operatorCase } from './operator-case.ts';

/** The connections of a gateway, and the accounts that need them. A gateway handles eight requests of an account at once. */
const connections = 20;
const accounts = 4;

export const operatorPoolFull = operatorCase({
  name: 'pool-full',
  fault: 'A session holds a lock on a table, and every connection of a gateway waits for it.',
  alert: 'CaptureDatabasePoolExhausted',
  metric: 'capture_database_pool_waiting',
  leads: ['CaptureDatabaseSlow', 'connections'],
  async stage(operator) {
    const { gateway, platform } = operator;
    const clients: Client[] = [];
    for (let index = 0; index < accounts; index += 1) clients.push(await platform.newClient('enterprise'));
    // Each request needs a connection and reads the locked table.
    const read = (client: Client) => send(gateway, client, '/api/v1/batches');
    await Promise.all(clients.map(read));
    let locked = true;
    const readRepeatedly = async (client: Client) => {
      while (locked) await read(client);
    };
    const connection = await platform.database.pool.connect();
    const readers: Promise<unknown>[] = [];
    try {
      await connection.query('BEGIN');
      await connection.query('LOCK TABLE batch IN ACCESS EXCLUSIVE MODE');
      // A request waits five seconds for a connection, and fifteen for its statement, so further requests follow.
      for (const client of clients) {
        for (let index = 0; index < 8; index += 1) readers.push(readRepeatedly(client));
      }
      await operator.sees(
        'all connections in use',
        async () => (await gateway.metric('capture_database_pool_connections', { state: 'in_use' })) === connections,
      );
      await operator.seesOver('statements that wait for a connection', 0, () =>
        gateway.metric('capture_database_pool_waiting'),
      );
      await operator.sees('the waiting statements in the list of processes', async () => {
        const { database } = await operator.get('/processes');
        return database.connections_in_use === connections && database.waiting > 0;
      });
      await operator.sees('the blocked statements, in Postgres itself', async () => {
        // A transaction keeps its first snapshot of pg_stat_activity, so this query needs another connection than the lock.
        const { rows } = await platform.database.pool.query(
          `SELECT count(*)::int AS blocked FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM batch%'`,
        );
        return rows[0].blocked >= 1;
      });
    } finally {
      locked = false;
      await connection.query('ROLLBACK');
      connection.release();
      await Promise.all(readers);
    }
    await operator.sees(
      'free connections again',
      async () => (await gateway.metric('capture_database_pool_waiting')) === 0,
    );
  },
});
