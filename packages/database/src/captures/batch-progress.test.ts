import { randomBytes } from 'node:crypto';
import { type FormName, forms } from '@capture/contract/forms/forms';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { newId } from '../ids.ts';
import {
  claim,
  endingOf,
  eventContext,
  failed,
  loseWorkerOf,
  newAccount,
  newBatch,
  usageOf,
  useTestDatabase,
} from './captures.test-support.ts';
import { endCapture } from './end-capture.ts';
import { recoverCaptures } from './recover-captures.ts';

const database = await useTestDatabase();
const { pool } = database;

/** The fates of the items, assigned in turn. */
const fates = ['completed', 'failed', 'ended twice', 'worker lost', 'worker slow', 'three workers lost'] as const;

describe.each<FormName>(['A', 'B'])('a batch in form %s', (name) => {
  const context = eventContext(name);

  it('counts every item once and records each event once, whatever happens to the workers', async () => {
    const { id: accountId } = await newAccount(database);
    const item = { type: 'screenshot', url: 'https://example.com/', options: {}, metadata: null } as const;
    const items = Array.from({ length: 100 }, () => ({ ...item, id: newId('req'), fingerprint: randomBytes(32) }));
    const batchId = await newBatch(pool, accountId, items, 'https://hooks.example.com/');
    const { rows } = await pool.query('SELECT id FROM capture WHERE batch_id = $1 ORDER BY batch_index', [batchId]);
    // `recoverCaptures` returns null while another recovery runs.
    const recover = () => waitUntil(() => recoverCaptures(pool, context), { what: 'a turn to recover' });

    async function play(id: string, fate: (typeof fates)[number]): Promise<void> {
      const first = await claim(pool, id, 'one');
      if (fate === 'failed') {
        await endCapture(pool, context, endingOf(first, failed));
      } else if (fate === 'completed') {
        await endCapture(pool, context, endingOf(first));
      } else if (fate === 'ended twice') {
        await Promise.all([1, 2, 3].map(() => endCapture(pool, context, endingOf(first))));
      } else {
        await loseWorkerOf(pool, id);
        await recover();
        const second = await claim(pool, id, 'two');
        // The first worker was only slow and reports its outcome after all.
        if (fate === 'worker slow') await endCapture(pool, context, endingOf(first));
        if (fate !== 'three workers lost') {
          await endCapture(pool, context, endingOf(second));
          return;
        }
        await loseWorkerOf(pool, id);
        await recover();
        await claim(pool, id, 'three');
        await loseWorkerOf(pool, id);
        await recover();
      }
    }
    // Four workers run concurrently, each with a quarter of the items; each recovery also sees the items of the other workers.
    const queue = rows.map((row, index) => ({ id: row.id as string, fate: fates[index % fates.length]! }));
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        for (let next = queue.shift(); next; next = queue.shift()) await play(next.id, next.fate);
      }),
    );
    // A concurrent recovery may have missed some items.
    await recover();

    const failing = [fates.indexOf('failed'), fates.indexOf('three workers lost')];
    const failures = items.filter((_, index) => failing.includes(index % fates.length)).length;
    const batch = await database.prisma.batch.findUniqueOrThrow({ where: { id: batchId } });
    expect(batch).toMatchObject({
      status: 'completed',
      total: 100,
      succeeded: 100 - failures,
      failed: failures,
      cancelled: 0,
    });
    expect(await usageOf(pool, accountId)).toEqual({ used: 100 - failures, reserved: 0 });

    const events = await database.prisma.event.findMany({ where: { accountId } });
    const named = (event: string) => events.filter((row) => row.name === event);
    expect(named('capture.completed')).toHaveLength(100 - failures);
    expect(named('capture.failed')).toHaveLength(failures);
    expect(named('batch.completed')).toHaveLength(1);
    const steps = named('batch.progress').map((row) => row.count);
    const expected = forms[name].events.names.includes('batch.progress')
      ? Array.from({ length: 10 }, (_, i) => (i + 1) * 10)
      : [];
    expect(steps.toSorted((a, b) => a - b)).toEqual(expected);
    expect(await database.prisma.delivery.count({ where: { accountId } })).toBe(events.length);
  });
});
