// Submits a batch, polls it with a growing pause, downloads what came of it. Plain fetch, nothing to install:
//   API_KEY=… node docs/examples/batch.mjs https://example.com https://example.org
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const base = process.env.BASE_URL ?? 'http://localhost:3000';
const headers = { 'X-API-Key': process.env.API_KEY, 'Content-Type': 'application/json' };

async function call(path, init = {}) {
  for (;;) {
    const response = await fetch(base + path, { ...init, headers: { ...headers, ...init.headers } });
    // Too many requests, or too much to do: the answer says for how many seconds to wait.
    if (response.status === 429 || response.status === 503) {
      await pause(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      continue;
    }
    const body = await response.json();
    if (!response.ok) throw new Error(`${body.error_code}: ${body.error_message}`);
    return body;
  }
}

const items = process.argv.slice(2).map((url) => ({ url }));
const body = JSON.stringify({ items, options: { full_page: true, format: 'webp' } });
// With the key a request whose answer was lost can be sent again: it makes nothing twice.
const { batch_id } = await call('/api/v1/batches', {
  method: 'POST',
  body,
  headers: { 'Idempotency-Key': randomUUID() },
});

let batch;
for (let waitMs = 250; batch?.status !== 'completed'; waitMs = Math.min(waitMs * 1.5, 10_000)) {
  await pause(waitMs);
  batch = await call(`/api/v1/batches/${batch_id}?limit=1000`);
  console.log(`${batch.succeeded + batch.failed} of ${batch.total}`);
}

await mkdir('captures', { recursive: true });
for (const { request_id, url, status, error_code, file_url } of batch.results) {
  if (status !== 'completed') console.log(`${url}: ${error_code}`);
  else await writeFile(`captures/${request_id}.webp`, Buffer.from(await (await fetch(file_url)).arrayBuffer()));
}
