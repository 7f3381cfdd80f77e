import { forms } from '@capture/contract/forms/forms';
import { connectRedis, whenReady } from '@capture/queue/connect-redis';
import { openJobQueue } from '@capture/queue/job-queue';
import { MeasuredRests } from '@capture/runtime/rests';
import { createTestRedis } from '@capture/testing/redis';
import { afterEach, expect, it } from '@jest/globals';
import { claimDue } from './claim.ts';
import { deliver } from './deliver.ts';
import {
  beAlive,
  closeAll,
  closeLater,
  closings,
  countDeliveries,
  deliverDependencies,
  newAccount,
  openSender,
  openTestDatabase,
  openTestReceiver,
  recordEvent,
} from './deliveries.test-support.ts';
import { FailingReceivers } from './failing-receivers.ts';

afterEach(closeAll);

/** The failing receivers on a busy machine whose clock the test sets. */
function onBusyMachine() {
  let at = 0;
  const rests = new MeasuredRests(
    () => at / 2,
    () => at,
  );
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      at += 100;
      rests.look();
    }
  };
  pass(2_000);
  return { failing: new FailingReceivers(rests, () => at), pass };
}

const nothing = { accountIds: [], receivers: [] };
const receiver = (host: string, accountId = 'acc_1') => ({ accountId, host });
const times = (count: number, work: (index: number) => void) =>
  Array.from({ length: count }, (_, index) => work(index));

it('lets receivers rest whose attempts fail 25 times a second, beside another account, until time has passed', () => {
  const { failing, pass } = onBusyMachine();
  // What an account may use at once.
  times(62, () => failing.note(receiver('down'), true));
  failing.note(receiver('up'), false);
  failing.note(receiver('theirs', 'acc_2'), true);
  expect(failing.resting()).toEqual(nothing);
  times(20, () => failing.note(receiver('down'), true));
  expect(failing.resting()).toEqual({ accountIds: [], receivers: [receiver('down')] });
  pass(1_000);
  expect(failing.resting()).toEqual(nothing);
});

it('lets no receiver rest that responds again, nor for attempts that succeed', () => {
  const { failing } = onBusyMachine();
  failing.note(receiver('theirs', 'acc_2'), false);
  times(1_000, () => failing.note(receiver('up'), false));
  times(100, (index) => failing.note(receiver(`down-${index % 2}`), true));
  expect(failing.resting().receivers).toEqual([receiver('down-0'), receiver('down-1')]);
  failing.note(receiver('down-0'), false);
  expect(failing.resting().receivers).toEqual([receiver('down-1')]);
});

it('lets no receiver rest of which some attempts succeed, as of two endpoints on one host', () => {
  const { failing, pass } = onBusyMachine();
  failing.note(receiver('theirs', 'acc_2'), false);
  times(200, (index) => failing.note(receiver('shared'), index !== 20));
  expect(failing.resting()).toEqual(nothing);
  pass(30_000);
  failing.note(receiver('theirs', 'acc_2'), false);
  times(100, () => failing.note(receiver('shared'), true));
  expect(failing.resting().receivers).toEqual([receiver('shared')]);
});

it('counts a receiver as failing for 30 seconds after its last failure', () => {
  const { failing, pass } = onBusyMachine();
  times(100, (index) => failing.note(receiver(`old-${index}`), true));
  pass(30_000);
  failing.note(receiver('theirs', 'acc_2'), true);
  times(100, () => failing.note(receiver('down'), true));
  expect(failing.resting()).toEqual({ accountIds: [], receivers: [receiver('down')] });
  expect(failing.count).toBe(1);
});

it('lets no receiver of an account rest that is alone', () => {
  const { failing } = onBusyMachine();
  times(1_000, () => failing.note(receiver('down'), true));
  expect(failing.resting()).toEqual(nothing);
});

it('lets all receivers of an account rest of which more than a hundred fail', () => {
  const { failing } = onBusyMachine();
  failing.note(receiver('theirs', 'acc_2'), true);
  times(5_000, (index) => failing.note(receiver(`down-${index}`), true));
  expect(failing.resting()).toEqual({ accountIds: ['acc_1'], receivers: [] });
  expect(failing.count).toBeGreaterThan(100);
});

it('lists the failing receiver of an account beside one with a hundred that failed before', () => {
  const { failing } = onBusyMachine();
  times(200, (index) => failing.note(receiver(`down-${index % 100}`), true));
  times(100, () => failing.note(receiver('theirs', 'acc_2'), true));
  expect(failing.resting()).toEqual({ accountIds: ['acc_1'], receivers: [receiver('theirs', 'acc_2')] });
});

it('claims nothing for a receiver that rests, and goes on with the others of its account', async () => {
  const form = forms.B;
  const database = await openTestDatabase();
  const server = closeLater(await createTestRedis());
  const redis = connectRedis({ url: server.url });
  closings.push(() => redis.disconnect());
  await whenReady(redis, 30_000);
  const [up, accountId] = [await openTestReceiver(), await newAccount(database, 'whsec_QUJD')];
  const sender = openSender(`127.0.0.1/32:${up.port},127.0.0.1/32:9`, { ca: up.authority.cert });
  const { failing, pass } = onBusyMachine();
  const delivering = { ...deliverDependencies(form, database, sender).dependencies, failing };
  const { log, metrics } = { ...delivering, metrics: countDeliveries() };
  const deliveryQueue = closeLater(openJobQueue(redis, 'delivery'));
  const claiming = { form, database, deliveryQueue, metrics, failing, log, position: { after: '' } };
  await beAlive(database, 256);
  failing.note(receiver('theirs', 'acc_2'), false);
  const down = 'https://127.0.0.1:9/';
  const record = async (webhookUrl: string) =>
    (await recordEvent(database, form, { accountId, webhookUrl })).deliveryId;
  const claimed = async (id: string) =>
    (await database.pool.query('SELECT attempt FROM delivery WHERE id = $1', [id])).rows[0].attempt === 1;

  const ids = [await record(down), await record(`${up.url}/hooks`)];
  await claimDue(claiming);
  for (const id of ids) await deliver(delivering, { id, attempt: 1 });
  // As if more attempts had failed, but for the host that is in question.
  times(100, () => failing.note(receiver('another', accountId), true));
  const resting = { accountIds: [], receivers: ['127.0.0.1:9', 'another'].map((host) => receiver(host, accountId)) };
  expect(failing.resting()).toEqual(resting);
  const [waiting, other] = [await record(down), await record(`${up.url}/hooks`)];
  expect(await claimDue(claiming)).toMatchObject({ waiting: true });
  expect([await claimed(waiting), await claimed(other)]).toEqual([false, true]);
  pass(5_000);
  failing.note(receiver('theirs', 'acc_2'), false);
  await claimDue(claiming);
  expect(await claimed(waiting)).toBe(true);
});
