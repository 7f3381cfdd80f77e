import { send } from '../harness/client.ts';
import { operatorCase } from './operator-case.ts';

/** Connections of a gateway. */
const connections = 20;

export const operatorPoolFull = operatorCase({
  name: 'pool-full',
  fault: 'Somebody holds a lock on a table, and every connection of a gateway waits for it.',
  alert: 'CaptureDatabasePoolExhausted',
  metric: 'capture_database_pool_waiting',
  leads: ['CaptureDatabaseSlow', 'connections'],
  async stage(desk) {
    const { gateway, client, platform } = desk;
    // Each look needs a connection of its own, and reads what is locked.
    const look = () => send(gateway, client, '/api/v1/batches');
    await look();
    let locked = true;
    const lookAgainAndAgain = async () => {
      while (locked) await look();
    };
    const connection = await platform.database.pool.connect();
    const looks: Promise<unknown>[] = [];
    try {
      await connection.query('BEGIN');
      await connection.query('LOCK TABLE batch IN ACCESS EXCLUSIVE MODE');
      // Who waits for a connection gives up after five seconds, and who has one after fifteen: others come meanwhile.
      for (let asker = 0; asker < connections + 10; asker += 1) looks.push(lookAgainAndAgain());
      await desk.sees('that all connections are in use', async () => {
        return (await gateway.metric('capture_database_pool_connections', { state: 'in_use' })) === connections;
      });
      await desk.sees('statements that wait for one', async () => {
        return ((await gateway.metric('capture_database_pool_waiting')) ?? 0) > 0;
      });
      await desk.sees('the same in the list of processes', async () => {
        const { database } = await desk.operator('/processes');
        return database.connections_in_use === connections && database.waiting > 0;
      });
      await desk.sees('which statements hold them, in Postgres itself', async () => {
        // Not by the connection with the lock: what a transaction has once read of others' activity it keeps to the end.
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
      await Promise.all(looks);
    }
    await desk.sees(
      'that they are free again',
      async () => (await gateway.metric('capture_database_pool_waiting')) === 0,
    );
  },
});
