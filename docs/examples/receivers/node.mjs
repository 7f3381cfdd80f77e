// Receives webhooks with Node alone: verifies, deduplicates, responds, then processes (prints a line).
//   WEBHOOK_SECRET=whsec_… PORT=8000 node docs/examples/receivers/node.mjs
// It listens on plain HTTP on this machine only: webhooks come by HTTPS, so put a proxy that speaks TLS before it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error('WEBHOOK_SECRET is not set.');
const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8');
const toleranceS = 300;
// In your system: a table with the id as its key, where the event is stored before the response.
const seen = new Set();

function isSigned({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given }, body) {
  if (!/^[\w-]{1,255}$/.test(id ?? '') || !/^\d{1,12}$/.test(time ?? '') || !given) return false;
  if (Math.abs(Math.floor(Date.now() / 1_000) - Number(time)) > toleranceS) return false;
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64')}`,
  );
  // Several signatures while a rotated secret overlaps the one before it.
  return given.split(' ').some((one) => {
    const signature = Buffer.from(one);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

async function receive(request, response) {
  const body = await buffer(request);
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  const id = request.headers['webhook-id'];
  const isNew = !seen.has(id);
  seen.add(id);
  // Responds before the work is done: a slow response counts as a failure.
  response.writeHead(204).end();
  if (!isNew) return;
  const { event, request_id, batch_id } = JSON.parse(body);
  console.log(`${id} ${event} ${request_id ?? batch_id}`);
}

const server = createServer((request, response) => {
  receive(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(Number(process.env.PORT ?? 8_000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
