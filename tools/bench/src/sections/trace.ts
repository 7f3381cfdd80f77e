import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, sum } from '@capture/testing/statistics';
import type { Section } from '../section.ts';

/** The stages of one capture in their order, and from whose log line each is known. */
const stages = [
  ['authenticate', 'gateway', 'the key is looked up'],
  ['understand', 'gateway', 'the options are read and checked, the queue is looked at'],
  ['rate', 'gateway', 'a token is taken'],
  ['record', 'gateway', 'the quota is reserved and the capture recorded, in one statement'],
  ['queue', 'both', 'it is chosen, enqueued and fetched by a worker; and the signal at the end is on its way'],
  ['claim', 'worker', 'the worker takes it in the database'],
  ['page', 'worker', 'a page that was made ahead is taken'],
  ['navigate', 'worker', "until the page's first bytes have come"],
  ['wait', 'worker', 'until it is complete'],
  ['act', 'worker', 'what was asked to be done to the page'],
  ['draw', 'worker', 'rendering the screenshot'],
  ['assess', 'worker', 'whether the image shows what it should'],
  ['store', 'worker', 'the file is written'],
  ['end', 'worker', 'outcome, quota, counters and events in one transaction'],
  ['signal', 'worker', 'waiting clients are notified'],
  ['read', 'gateway', 'the outcome is read'],
  ['respond', 'gateway', 'the bytes are sent'],
] as const;

type Stage = (typeof stages)[number][0];

interface GatewayLine {
  duration_ms: number;
  stages: Record<'authenticated' | 'understood' | 'rate' | 'recorded' | 'ended' | 'read', number>;
}

interface WorkerLine {
  times: Record<string, number>;
}

export const trace: Section = {
  name: 'trace',
  measures:
    'one capture of `tiny` from its request to its response, stage by stage, from the log lines of gateway and worker',
  figures: [],
  async run(bench) {
    const platform = await bench.platform();
    const url = bench.corpus.url('tiny');
    const responses = new Map<string, number>();
    const count = bench.times(50, 10);
    for (let made = 0; made < count + 3; made += 1) {
      bench.checkpoint();
      const { requestId, ms } = await platform.service.take({ url });
      // The first ones warm it up.
      if (made >= 3) responses.set(requestId, ms);
      // Its page is thrown away and another is made after the response: that is not this one's time.
      await sleep(100);
    }
    const requests = readLines<GatewayLine>(platform.logFile('api-gateway'), 'request', responses);
    const captures = readLines<WorkerLine>(platform.logFile('capture-worker'), 'capture', responses);
    const traced = [...responses].flatMap(([id, ms]) => {
      const [request, capture] = [requests.get(id), captures.get(id)];
      return request && capture ? [{ ms, own: stagesOf(request, capture) }] : [];
    });
    const middle = (value: (each: (typeof traced)[number]) => number) => median(traced.map(value));
    const responseMs = middle(({ ms }) => ms);
    return {
      figures: {},
      tables: [
        {
          title: `A capture of \`tiny\`, stage by stage: median of ${traced.length}; the response takes ${responseMs.toFixed(1)} ms`,
          head: ['stage', 'ms', 'known from', ''],
          rows: [
            ...stages.map(([stage, from, what]) => [stage, middle(({ own }) => own[stage]).toFixed(1), from, what]),
            [
              '(client)',
              middle(({ ms, own }) => ms - sum(Object.values(own))).toFixed(1),
              'bench',
              'the way there and back',
            ],
          ],
        },
      ],
    };
  },
};

function stagesOf({ duration_ms: whole, stages: at }: GatewayLine, { times }: WorkerLine): Record<Stage, number> {
  const time = (name: string) => times[name] ?? 0;
  const worker = {
    claim: time('claiming'),
    page: time('page'),
    navigate: time('navigation'),
    wait: time('waiting'),
    act: time('acting'),
    draw: time('image'),
    assess: time('assessing'),
    store: time('storing'),
    end: time('recording'),
    signal: time('notifying'),
  };
  return {
    authenticate: at.authenticated,
    understand: at.understood - at.authenticated,
    rate: at.rate - at.understood,
    record: at.recorded - at.rate,
    queue: at.ended - at.recorded - sum(Object.values(worker)),
    ...worker,
    read: at.read - at.ended,
    respond: whole - at.read,
  };
}

/** The log lines with this message about these requests. */
function readLines<Line>(file: string, message: string, requests: ReadonlyMap<string, unknown>): Map<string, Line> {
  const found = new Map<string, Line>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (!line.startsWith('{')) continue;
    const entry = JSON.parse(line) as Line & { msg: string; request_id: string };
    if (entry.msg === message && requests.has(entry.request_id)) found.set(entry.request_id, entry);
  }
  return found;
}
