// Submits a batch, polls it with a growing pause, downloads the results. Plain fetch, nothing to install:
//   CAPTURE_API_KEY=… node docs/examples/batch.mjs https://example.com https://example.org
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const batches = `${process.env.CAPTURE_SERVER ?? 'http://localhost:3000'}/api/v1/batches`;
const headers = { 'X-API-Key': process.env.CAPTURE_API_KEY, 'Content-Type': 'application/json' };

async function call(url, init = {}) {
  const response = await fetch(url, { ...init, headers: { ...headers, ...init.headers } });
  const body = await response.json();
  if (response.ok) return body;
  // Anything else, a month that is used up too, does not pass by waiting a little.
  if (!['RATE_LIMITED', 'OVERLOADED'].includes(body.error_code)) throw new Error(JSON.stringify(body));
  await pause(Number(response.headers.get('retry-after')) * 1_000);
  return call(url, init);
}

const items = process.argv.slice(2).map((url) => ({ url }));
// PNG, as WebP ends at 16,383 pixels: pages may be longer.
const body = JSON.stringify({ items, options: { full_page: true, format: 'png' } });
// With the key a request whose response was lost can be repeated: it creates nothing twice.
let batch = await call(batches, { method: 'POST', body, headers: { 'Idempotency-Key': randomUUID() } });

for (let waitMs = 250; batch.status === 'processing'; waitMs = Math.min(waitMs * 1.5, 10_000)) {
  await pause(waitMs);
  batch = await call(`${batches}/${batch.batch_id}?limit=1000`);
  console.log(`${batch.total - batch.pending} of ${batch.total}`);
}

await mkdir('captures', { recursive: true });
for (const { request_id, url, status, error_code, file_url } of batch.results) {
  if (status !== 'completed') console.log(`${url}: ${error_code ?? status}`);
  else await writeFile(`captures/${request_id}.png`, Buffer.from(await (await fetch(file_url)).arrayBuffer()));
}
