import { beforeAll, expect, it } from '@jest/globals';
import { startSharedGateway } from '../../test-gateway.ts';

const gateway = await startSharedGateway();
const list = (query = '') => gateway.asOperator.get(`/api/operator/captures${query}`);
const urlsOf = async (query: string) =>
  (await list(query).expect(200)).body.captures.map((capture: { url: string }) => capture.url);

beforeAll(async () => {
  for (const name of ['ada', 'grace']) {
    const key = await gateway.register(`${name}@example.com`);
    const capture = { url: `https://${name}.example/`, async: true, headers: { secret: 'of its owner' } };
    await gateway.as(key).post('/api/v1/screenshot').send(capture).expect(202);
  }
});

it('200: lists captures of all accounts with their addresses, without options and files', async () => {
  const { body, text } = await list().expect(200);
  expect(body.captures).toMatchObject([
    { url: 'https://grace.example/', account_email: 'grace@example.com', status: 'queued', error_code: null },
    { url: 'https://ada.example/', account_email: 'ada@example.com', account_id: expect.stringMatching(/^acc_/) },
  ]);
  expect(body.next_cursor).toBeNull();
  expect(text).not.toMatch(/options|secret|file_url|receipt/);
});

it('200: filters by account, status, URL and time', async () => {
  const { body } = await list().expect(200);
  expect(await urlsOf(`?account_id=${body.captures[1].account_id}`)).toEqual(['https://ada.example/']);
  expect(await urlsOf('?url=GRACE')).toEqual(['https://grace.example/']);
  expect(await urlsOf('?status=failed')).toEqual([]);
  expect(await urlsOf('?until=2026-01-01T00:00:00Z')).toEqual([]);
  expect(await urlsOf(`?limit=1&cursor=${body.captures[0].request_id}`)).toEqual(['https://ada.example/']);
});

it('200: a search continues where the previous one stopped, until it has read every capture', async () => {
  // One request reads at most 10,000 captures, so the test adds as many newer captures of Grace.
  await gateway.database.pool.query(
    `INSERT INTO capture (id, account_id, type, status, url, options, month, created_at, completed_at)
     SELECT 'req_7z' || lpad(n::text, 24, '0'), account_id, type, 'failed', url, '{}', month, created_at, created_at
       FROM capture, generate_series(1, 10000) n WHERE url = 'https://grace.example/'`,
  );
  const first = (await list('?url=ada').expect(200)).body;
  expect(first).toEqual({ captures: [], next_cursor: 'req_7z000000000000000000000001' });
  const second = (await list(`?url=ada&cursor=${first.next_cursor}`).expect(200)).body;
  expect(second).toMatchObject({ captures: [{ url: 'https://ada.example/' }], next_cursor: null });
});

it('400: an unknown filter, or a malformed id', async () => {
  expect((await list('?account_id=x').expect(400)).body.details[0].field).toBe('account_id');
  expect((await list('?batch_id=x').expect(400)).body.error_code).toBe('INVALID_REQUEST');
});

it('401: an account’s key', async () => {
  const key = await gateway.register('curious@example.com');
  await gateway.as(key).get('/api/operator/captures').expect(401);
});
