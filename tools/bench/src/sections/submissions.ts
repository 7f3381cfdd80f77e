import { setTimeout as sleep } from 'node:timers/promises';
import { operatorKey } from '@capture/testing/processes/platform';
import { median } from '@capture/testing/statistics';
import { Pool } from 'undici';
import { workThrough } from '../peers/contender.ts';
import { openAccounts } from '../platform/accounts.ts';
import { openServers } from '../platform/servers.ts';
import type { Bench, Section } from '../section.ts';

const accounts = 100;

/** Requests at a time, as a load balancer keeps open to one process. */
const connections = 64;

/**
 * Submissions per round, 40 per account. An account's bucket holds 20 and refills 20 each second, so that no request is refused
 * up to 4,000 per second.
 */
const submissionsAtOnce = 4_000;

/** Every bucket is full again after this time. */
const refillMs = 1_100;

const batchItems = 1_000;

export const submissions: Section = {
  name: 'submissions',
  measures:
    'what one gateway takes in: `async=true` captures of 100 accounts, and batches of 1,000, with its own Postgres and Redis and no worker, so that nothing else is measured',
  figures: ['submissions', 'batchAccepted'],
  async run(bench) {
    const servers = await openServers();
    try {
      const { url } = await servers.start('api-gateway', { LOG_LEVEL: 'info' });
      const keys = await openAccounts(url, operatorKey).keys(accounts);
      const pool = new Pool(url, { connections });
      try {
        const rates = await submitRounds(bench, pool, keys);
        const batches = await submitBatches(bench, pool, keys);
        return {
          figures: { submissions: median(rates), batchAccepted: median(batches) },
          notes: [
            `submissions a second, round by round: ${rates.map((rate) => Math.round(rate)).join(', ')}; a batch of ${batchItems} accepted in ms: ${batches.map((ms) => Math.round(ms)).join(', ')}`,
          ],
        };
      } finally {
        await pool.close();
      }
    } finally {
      await servers.close();
    }
  },
};

async function submitRounds(bench: Bench, pool: Pool, keys: readonly string[]): Promise<number[]> {
  const rates: number[] = [];
  const rounds = bench.times(5, 2);
  const count = bench.amount(submissionsAtOnce, submissionsAtOnce / 4);
  for (let round = 0; round <= rounds; round += 1) {
    bench.checkpoint();
    const startedAt = performance.now();
    await workThrough(Array.from({ length: count }), connections, async (_, index) => {
      const target = encodeURIComponent(`https://example.com/${round}/${index}`);
      const response = await pool.request({
        method: 'GET',
        path: `/api/v1/screenshot?async=true&url=${target}`,
        headers: { 'x-api-key': keys[index % keys.length] ?? '' },
      });
      const text = await response.body.text();
      if (response.statusCode !== 202) throw new Error(`a submission: ${response.statusCode} ${text}`);
    });
    const rate = count / ((performance.now() - startedAt) / 1_000);
    // The first round warms up the platform.
    if (round > 0) rates.push(rate);
    bench.progress(`submissions: ${Math.round(rate)} a second`);
    await sleep(refillMs);
  }
  return rates;
}

async function submitBatches(bench: Bench, pool: Pool, keys: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  const rounds = bench.times(10, 3);
  for (let round = 0; round <= rounds; round += 1) {
    bench.checkpoint();
    const items = Array.from({ length: batchItems }, (_, index) => ({ url: `https://example.com/b${round}/${index}` }));
    const body = JSON.stringify({ items });
    const headers = { 'x-api-key': keys[round] ?? '', 'content-type': 'application/json' };
    const startedAt = performance.now();
    const response = await pool.request({ method: 'POST', path: '/api/v1/batches', headers, body });
    const text = await response.body.text();
    if (response.statusCode !== 202) throw new Error(`a batch: ${response.statusCode} ${text}`);
    if (round > 0) times.push(performance.now() - startedAt);
  }
  return times;
}
