import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { removeAccount } from '@capture/database/accounts/remove-account';
import { removeCaptureFiles } from '@capture/storage/many-files';
import { openStorage } from '@capture/storage/open-storage';
import { startChildProgram } from '@capture/testing/processes/child-program';
import type { Random } from '@capture/testing/random';
import { waitUntil } from '@capture/testing/wait-until';
import type { Attack, AttackCommand } from '../../attacker/main.ts';
import type { CaseContext, ChaosCase } from '../../case.ts';
import { builtProgram } from '../../harness/built-program.ts';
import type { ApiResponse, Client } from '../../harness/client.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';
import { type ProcessorTime, watchProcessors } from '../../harness/processor-time.ts';
import { readStages } from '../../harness/read-stages.ts';
import type { TestedPlatform } from '../../harness/tested-platform.ts';

/** The interval of the ordinary account's captures, milliseconds. */
const everyMs = 1_000;

/** The first requests of a process take several times as long, because code is loaded and compiled. Milliseconds. */
const beginsMs = 10_000;

/** Pages of each worker. Both workers share one machine; a worker alone would have twice as many on two cores. */
const concurrency = 2;

/** How long a process is frozen, and the pause after that, milliseconds. */
const frozenMs = 3_000;
const thawedMs = 7_000;

/**
 * The time from the end of a capture to its delivery, milliseconds. A frozen dispatcher keeps its claimed deliveries until it
 * continues, because the leases last longer.
 */
const webhookWithinMs = 5_000;

/** The pages of the ordinary account. One in five is heavy: its script takes some 0.7 s of CPU time, not a fixed time. */
const pages = {
  light: '<!doctype html><p>an ordinary page',
  heavy: `<!doctype html><body><script>
    let sum = 1;
    for (let n = 0; n < 5e7; n += 1) sum = (sum * 31 + n) | 0;
    document.body.innerHTML = '<p>' + sum + ' a row of a long table <b>and</b> its <i>cells</i></p>'.repeat(3000);
  </script>`,
};
const isHeavy = (index: number) => index % 5 === 0;

export const hostileAccount: ChaosCase = {
  name: 'hostile-account',
  promise:
    "One account floods browsers, hangs, sends huge bodies, batches and equal idempotency keys, cancels, deletes, lists, retries, replays and streams, all at once, and then processes freeze as well: an ordinary account's captures and webhooks are all there, and none is refused.",
  async run(context) {
    const platform = await context.open({ retryDelaysMs: shortRetryDelaysMs });
    const logged = { LOG_LEVEL: 'info' };
    for (let each = 0; each < 2; each += 1) {
      await Promise.all([
        platform.startGateway(logged),
        platform.startWorker({ concurrency, env: logged }),
        platform.startDispatcher(),
      ]);
    }
    platform.pages.serve({ '/light': pages.light, '/heavy': pages.heavy });
    const ordinary = await platform.newClient('pro');
    // A short run has no times to compare, and only checks that nothing is lost or refused while processes freeze.
    const alone = context.isShort ? null : await visitAlone(platform, ordinary, context);
    const freezing = <Result>(work: () => Promise<Result>) => whileFreezing(platform, context.random, work);
    // This run measures the cost of the frozen processes alone.
    const frozenAlone = context.isShort
      ? null
      : await freezing(() => visit(platform, ordinary, context.scaled(300_000)));

    const hostile = await platform.newClient('enterprise');
    const endAttack = await startAttack({
      gateways: platform.gateways.map(({ url }) => url),
      key: hostile.key,
      seed: Math.floor(context.random.next() * 2 ** 31),
      itemsOfBatch: context.isShort ? 100 : 1_000,
    });
    const first = context.isShort ? null : await visit(platform, ordinary, Math.min(beginsMs, context.scaled(600_000)));
    const beside = context.isShort ? null : await visit(platform, ordinary, context.scaled(600_000));
    const frozen = await freezing(() => visit(platform, ordinary, context.scaled(300_000, 4_000)));
    const counts = await endAttack();
    await remove(platform, hostile);

    await platform.settleCaptures();
    const refused = Object.fromEntries(platform.submissions.refused);
    context.expect(platform.submissions.refused.size === 0, `nothing is refused (${JSON.stringify(refused)})`);
    report(context, {
      ...(alone && { alone }),
      ...(frozenAlone && { 'alone, with frozen processes': frozenAlone }),
      ...(first && { 'as the attack begins': first }),
      ...(beside && { 'beside it': beside }),
      'beside it, with frozen processes': frozen,
    });
    context.note(`the hostile account's requests: ${JSON.stringify(counts)}`);
    const webhooksMs = Math.max(0, ...(first?.webhooksMs ?? []), ...(beside?.webhooksMs ?? []));
    context.expect(context.hurried || webhooksMs <= webhookWithinMs, `webhooks take ${webhooksMs} ms beside it`);
    const slowestMs = Math.max(...frozen.webhooksMs);
    context.expect(
      context.hurried || slowestMs <= frozenMs + webhookWithinMs,
      `webhooks take ${slowestMs} ms if frozen`,
    );
    return platform.finish();
  },
};

interface Visit {
  captures: Record<keyof typeof pages, Measured>;
  webhooksMs: number[];
  /** The processor time of all processes of each service. */
  processors: Record<string, ProcessorTime>;
}

interface Measured {
  tookMs: number[];
  /** The time that each capture spent in each stage, milliseconds. */
  stages: Record<string, number>[];
}

/** Visits before the attack: a while to warm up, then the measured time. */
async function visitAlone(platform: TestedPlatform, client: Client, { scaled }: CaseContext): Promise<Visit> {
  await visit(platform, client, scaled(10_000));
  return visit(platform, client, scaled(60_000));
}

/** Acts as an ordinary client: a synchronous capture every second, with a webhook. */
async function visit(platform: TestedPlatform, client: Client, forMs: number): Promise<Visit> {
  const endAt = Date.now() + forMs;
  const processors = watchProcessors(platform);
  const requests: ReturnType<TestedPlatform['submit']>[] = [];
  const options = { async: false, webhook_url: platform.receiver.url() };
  while (Date.now() < endAt) {
    // A load balancer sends nothing to a gateway that does not respond.
    const gateway = platform.gateways.find(({ process }) => process.pid !== frozenPid) ?? platform.gateways[0]!;
    const url = platform.pages.url(isHeavy(requests.length) ? '/heavy' : '/light');
    requests.push(platform.submit(gateway, client, { url, ...options }));
    await sleep(everyMs);
  }
  const responses = await Promise.all(requests);
  const used = processors();
  const isOpen = `FROM delivery WHERE account_id = $1 AND status = 'pending'`;
  await waitUntil(async () => (await platform.count(isOpen, [client.accountId])) === 0, { what: 'its webhooks' });
  const idOf = ({ headers }: ApiResponse) => headers.get('x-request-id') ?? '';
  const { rows } = await platform.database.pool.query(
    `SELECT (extract(epoch FROM d.completed_at - d.created_at) * 1000)::int AS ms
       FROM delivery d JOIN event e ON e.id = d.event_id WHERE e.capture_id = ANY($1)`,
    [responses.map(idOf)],
  );
  const measure = async (of: ApiResponse[]): Promise<Measured> => ({
    tookMs: of.map(({ tookMs }) => tookMs),
    stages: await readStages(platform, new Map(of.map((response) => [idOf(response), response.tookMs]))),
  });
  return {
    captures: {
      light: await measure(responses.filter((_, index) => !isHeavy(index))),
      heavy: await measure(responses.filter((_, index) => isHeavy(index))),
    },
    webhooksMs: rows.map(({ ms }) => ms),
    processors: used,
  };
}

/** Starts the hostile account. Returns a function that ends it, and returns how many requests of each kind had a response. */
async function startAttack(start: Attack): Promise<() => Promise<Record<string, number>>> {
  const child = startChildProgram<AttackCommand>('attacker', builtProgram('attacker'));
  await child.send({ start });
  return async () => {
    try {
      return await child.send<Record<string, number>>('stop');
    } finally {
      await child.kill();
    }
  };
}

let frozenPid: number | undefined;

/** Runs the work while processes freeze. */
async function whileFreezing<Result>(
  platform: TestedPlatform,
  random: Random,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = new AbortController();
  const freezing = freezeAtRandom(platform, random, end.signal);
  try {
    return await work();
  } finally {
    end.abort();
    await freezing;
  }
}

/** Freezes one of two processes of a kind at a time (SIGSTOP), until the signal. */
async function freezeAtRandom(platform: TestedPlatform, random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const lists = [platform.gateways, platform.workers, platform.dispatchers];
    frozenPid = random.pick<{ process: { pid: number } }>(random.pick<{ process: { pid: number } }[]>(lists)).process
      .pid;
    process.kill(frozenPid, 'SIGSTOP');
    await sleep(frozenMs);
    process.kill(frozenPid, 'SIGCONT');
    frozenPid = undefined;
    await sleep(thawedMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Deletes the account with all its data, as an operator would, so that only the ordinary account's data remain. */
async function remove({ database, files }: TestedPlatform, { accountId }: Client): Promise<void> {
  await database.pool.query('UPDATE account SET deleted_at = now() WHERE id = $1', [accountId]);
  const storage = await openStorage(pathToFileURL(files).href);
  const terms = {
    removeFiles: async (keys: string[]) => void (await removeCaptureFiles(storage, keys)),
    onCancelled: async () => {},
    stopped: () => false,
  };
  await waitUntil(() => removeAccount(database.pool, accountId, terms), { what: 'the account to be removed' });
}

/** Returns the 95th percentile. */
function at95(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
}

function report(context: CaseContext, visits: Record<string, Visit>): void {
  for (const [when, { captures, webhooksMs, processors }] of Object.entries(visits)) {
    const all = Object.values(captures).flatMap(({ tookMs }) => tookMs);
    context.note(`${all.length} captures ${when}: p95 ${at95(all)} ms`);
    for (const [page, { tookMs, stages }] of Object.entries(captures)) {
      context.note(
        `${tookMs.length} captures of a ${page} page ${when}: p95 ${at95(tookMs)} ms, the slowest ${Math.max(...tookMs)} ms`,
      );
      const names = [...new Set(stages.flatMap((stage) => Object.keys(stage)))];
      const each = names.map((name) => `${name} ${Math.round(at95(stages.map((stage) => stage[name] ?? 0)))}`);
      context.note(`their stages, p95 in ms: ${each.join(', ')}`);
    }
    context.note(`their webhooks: p95 ${at95(webhooksMs)} ms, the slowest ${Math.max(...webhooksMs)} ms`);
    const used = Object.entries(processors).map(([name, { ran, waited }]) => `${name} ${ran} and ${waited}`);
    if (used.length > 0)
      context.note(`main threads, ms a second on a processor and waiting for one: ${used.join(', ')}`);
  }
}
