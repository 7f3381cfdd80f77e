import type { Activity, CleanupJobList, ProcessList, QueueList } from '../../../api/responses.ts';
import { countText, durationText, spanText } from '../../../ui/figures.ts';

/** Something that is wrong, and where one goes on from it. */
export interface Issue {
  /** `bad`: customers notice it, or will; `warn`: somebody should look. */
  tone: 'bad' | 'warn';
  /** What is wrong, in a few words. */
  title: string;
  /** What follows from it, with the figures. */
  text: string;
  /** The page that shows more. */
  page: { path: string; label: string };
  /** The section of docs/runbook.md. */
  section: string;
}

/** What there is to judge by. What could not be read is left out: that is a issue of its own. */
export interface Facts {
  queues?: QueueList | undefined;
  processes?: ProcessList | undefined;
  cleanupJobs?: CleanupJobList | undefined;
  /** Of the last hour. */
  activity?: Activity | undefined;
  /** Deliveries that have used up their retries within a day. */
  givenUp?: number | undefined;
  /** Why something could not be read. */
  error?: Error | null | undefined;
  at: Date;
}

const pages = {
  queues: { path: '/operator/queues', label: 'Queues' },
  processes: { path: '/operator/processes', label: 'Processes' },
  activity: { path: '/operator/activity', label: 'Activity' },
  cleanupJobs: { path: '/operator/cleanup-jobs', label: 'Cleanup jobs' },
  accounts: { path: '/operator/accounts', label: 'Accounts' },
  failed: { path: '/operator/deliveries?status=failed', label: 'Failed deliveries' },
  pending: { path: '/operator/deliveries?status=pending', label: 'Pending deliveries' },
} as const;

/** A third of what a synchronous capture waits for a worker until it is refused. */
const waitedLongMs = 10_000;

/** More than a batch of 1,000 takes with four pages: the figure of the alert. */
const oldestWaitingS = 600;

/** Captures wait, and for so long none has ended. */
const stuckMinutes = 5;

/** What is due is begun within seconds. */
const deliveriesLateS = 60;

/** A judgement about a share needs so many. */
const enough = 10;

/** The minutes over which shares are judged: long enough that one bad minute is none. */
const checkedMinutes = 15;

/** A host with fewer deliveries to try again is a receiver's passing issue. */
const failingAtHost = 5;

/** Browsers that end by themselves an hour; one now and then is a page that kills it. */
const restartsAnHour = 5;

/** An account that has more of the queue than this, and the queue is long: the figures of the alert. */
const floodShare = 0.9;
const floodLength = 500;

/** What a statement takes, and clocks are apart, where something is wrong: the alerts' figures, milliseconds. */
const slowAnswerMs = 500;
const clocksApartMs = 2_000;

/** Beyond three intervals and this a cleanup job is late, milliseconds: the alert's figure. */
const cleanupJobGraceMs = 300_000;

/** Everything that is wrong, the worst first; nothing where all is well. */
export function findIssues(facts: Facts): Issue[] {
  const found = [
    ...ofReading(facts),
    ...ofServers(facts),
    ...ofProcesses(facts),
    ...ofCaptures(facts),
    ...ofDeliveries(facts),
    ...ofCleanupJobs(facts),
    ...ofAccounts(facts),
  ];
  return found.sort((one, other) => Number(one.tone === 'warn') - Number(other.tone === 'warn'));
}

function ofReading({ error }: Facts): Issue[] {
  if (!error) return [];
  const text = `${error.message} What is missing here cannot be judged.`;
  return [
    { tone: 'bad', title: 'Not everything can be read', text, page: pages.queues, section: 'CaptureDatabaseDown' },
  ];
}

function ofServers({ processes }: Facts): Issue[] {
  if (!processes) return [];
  const { redis, database, at } = processes;
  const issues: Issue[] = [];
  const page = pages.processes;
  if (redis === 'away') {
    const text =
      'Captures and deliveries are not begun until it is back. Nothing is lost; what was in it is made again.';
    issues.push({ tone: 'bad', title: 'Redis is away', text, page, section: 'CaptureRedisDown' });
  }
  if (redis === 'evicting') {
    const text = 'Its maxmemory-policy is not noeviction: when it is full it drops jobs, which are then begun late.';
    issues.push({ tone: 'bad', title: 'Redis may throw jobs away', text, page, section: 'CaptureRedisEvicting' });
  }
  if (database.waiting > 0) {
    const text = `All ${countText(database.connections)} of this gateway are in use, and ${countText(database.waiting)} statements wait for one.`;
    const section = 'CaptureDatabasePoolExhausted';
    issues.push({ tone: 'bad', title: 'Connections to Postgres are short', text, page, section });
  } else if (database.answer_ms === null || database.answer_ms >= slowAnswerMs) {
    const took = database.answer_ms === null ? 'over two seconds' : durationText(database.answer_ms);
    const text = `A bare statement takes this gateway ${took}. Everything waits for Postgres: requests, captures, deliveries.`;
    issues.push({ tone: 'bad', title: 'Postgres is slow', text, page, section: 'CaptureDatabaseSlow' });
  }
  // Who reported himself later than now has a clock that is ahead; who is behind would be gone, or was just slow.
  const ahead = processes.processes.filter(({ seen_at }) => Date.parse(seen_at) - Date.parse(at) > clocksApartMs);
  if (ahead.length > 0 || Math.abs(database.clock_offset_ms ?? 0) > clocksApartMs) {
    const whose = ahead.map(({ kind, host, pid }) => `${kind} on ${host} (pid ${pid})`).join(', ') || 'this gateway';
    const text = `That of ${whose}. Signatures seem too old or too new, and certificates expired.`;
    issues.push({ tone: 'bad', title: 'A clock is wrong', text, page, section: 'CaptureClockWrong' });
  }
  return issues;
}

function ofProcesses({ queues, processes, at }: Facts): Issue[] {
  const issues: Issue[] = [];
  const section = 'CaptureNoWorkers';
  const loads = new Map(queues?.queues.map((queue) => [queue.name, queue]));
  const [captures, deliveries] = [loads.get('captures'), loads.get('deliveries')];
  if (captures?.workers === 0) {
    const text = `Nothing is captured; ${countText(captures.waiting)} wait. Who waits for an answer is refused after 30 seconds.`;
    issues.push({ tone: 'bad', title: 'No capture worker is there', text, page: pages.processes, section });
  }
  if (deliveries?.workers === 0) {
    const text = `Nothing is delivered; ${countText(deliveries.waiting)} are due. They go out late, and none is lost.`;
    issues.push({ tone: 'bad', title: 'No webhook dispatcher is there', text, page: pages.processes, section });
  }
  for (const process of processes?.processes ?? []) {
    if (process.kind !== 'capture-worker') continue;
    const { state, restarts, last_error } = process.detail.browser;
    const who = `${process.host} (pid ${process.pid})`;
    const hours = Math.max(1, (at.getTime() - Date.parse(process.started_at)) / 3_600_000);
    if (state === 'failing') {
      const text = `The worker on ${who} captures nothing. ${last_error ?? ''}`;
      const title = 'A browser does not start';
      issues.push({ tone: 'bad', title, text, page: pages.processes, section: 'CaptureBrowserDown' });
    } else if (restarts / hours >= restartsAnHour) {
      const text = `On ${who} it has happened ${countText(restarts)} times since ${spanText(hours * 3_600)} ago.`;
      const title = 'A browser ends by itself again and again';
      issues.push({ tone: 'warn', title, text, page: pages.processes, section: 'CaptureBrowserRestarts' });
    }
  }
  return issues;
}

function ofCaptures({ queues, activity }: Facts): Issue[] {
  const load = queues?.queues.find(({ name }) => name === 'captures');
  const minutes = activity?.minutes ?? [];
  const last = minutes.slice(-stuckMinutes);
  const ended = last.reduce((sum, { completed, failed }) => sum + completed + failed, 0);
  const oldestS = load?.oldest_waiting_s ?? 0;
  const waitedMs = Math.max(0, ...last.map(({ waited_p95_ms }) => waited_p95_ms ?? 0));
  const issues: Issue[] = [];
  if (load && load.workers > 0 && activity && ended === 0 && oldestS >= stuckMinutes * 60) {
    const text = `${countText(load.waiting)} wait, ${countText(load.active)} are being made, and for ${stuckMinutes} minutes none has ended.`;
    issues.push({ tone: 'bad', title: 'Captures are stuck', text, page: pages.queues, section: 'CaptureQueueStuck' });
  } else if (oldestS >= oldestWaitingS || waitedMs >= waitedLongMs) {
    const waited =
      waitedMs >= waitedLongMs
        ? `Single captures have waited ${durationText(waitedMs)} for a worker in the last ${stuckMinutes} minutes; after 30 s they are refused.`
        : `The oldest has waited for ${spanText(oldestS)}.`;
    const text = `${waited} ${countText(load?.waiting ?? 0)} wait. Another worker is what helps.`;
    const section = 'CaptureQueueWaitLong';
    issues.push({ tone: 'warn', title: 'Captures wait for long', text, page: pages.queues, section });
  }
  const judged = minutes.slice(-checkedMinutes);
  const [completed, failed] = [sumOf(judged, 'completed'), sumOf(judged, 'failed')];
  if (completed + failed >= enough && failed > completed) {
    const text = `${countText(failed)} of ${countText(completed + failed)} in the last ${checkedMinutes} minutes. The log tells by error_code whether it is the pages or us.`;
    const section = 'CaptureRenderingFailed';
    issues.push({ tone: 'warn', title: 'Most captures fail', text, page: pages.activity, section });
  }
  return issues;
}

function ofDeliveries({ queues, activity, givenUp }: Facts): Issue[] {
  const issues: Issue[] = [];
  const load = queues?.queues.find(({ name }) => name === 'deliveries');
  if (load && load.workers > 0 && (load.oldest_waiting_s ?? 0) > deliveriesLateS) {
    const text = `${countText(load.waiting)} are due, the first for ${spanText(load.oldest_waiting_s ?? 0)}; ${countText(load.active)} are being sent.`;
    const section = 'CaptureDeliveriesLate';
    issues.push({ tone: 'bad', title: 'Deliveries are late', text, page: pages.pending, section });
  }
  const judged = activity?.minutes.slice(-checkedMinutes) ?? [];
  const [taken, refused] = [sumOf(judged, 'deliveries_succeeded'), sumOf(judged, 'deliveries_failed')];
  if (taken + refused >= enough && refused >= taken) {
    const text = `${countText(refused)} of ${countText(taken + refused)} attempts in the last ${checkedMinutes} minutes. Where it is all receivers, the fault is here: network, names, clock.`;
    const section = 'CaptureDeliveriesFailing';
    issues.push({ tone: 'bad', title: 'Most deliveries fail', text, page: pages.pending, section });
  }
  const hosts = activity?.receivers.filter(({ pending }) => pending >= failingAtHost) ?? [];
  if (hosts.length > 0) {
    const named = hosts
      .slice(0, 3)
      .map(({ host, pending, last_error }) => `${host} (${countText(pending)}, ${last_error})`);
    const more = hosts.length > named.length ? ` and ${hosts.length - named.length} more` : '';
    const text = `${named.join(', ')}${more}. ${hosts.length === 1 ? 'Its owner has to mend it' : 'Their owners have to mend them'}; attempts go on by the schedule.`;
    const title = hosts.length === 1 ? 'A receiver fails' : `${hosts.length} receivers fail`;
    const section = hosts.every(({ last_error }) => last_error === 'tls')
      ? 'CaptureReceiverCertificate'
      : 'CaptureReceiverDown';
    issues.push({ tone: 'warn', title, text, page: pages.pending, section });
  }
  if (givenUp) {
    const title = givenUp === 1 ? 'A delivery was given up' : `${countText(givenUp)} deliveries were given up`;
    const text = 'They have used up their retries within the last day. When their receivers are back, send them again.';
    issues.push({ tone: 'warn', title, text, page: pages.failed, section: 'CaptureReceiverDown' });
  }
  return issues;
}

function ofCleanupJobs({ cleanupJobs, processes, at }: Facts): Issue[] {
  const section = 'CaptureCleanupJobStalled';
  return (cleanupJobs?.cleanup_jobs ?? []).flatMap((cleanupJob): Issue[] => {
    const { name, owner, last_error } = cleanupJob;
    if (last_error !== null) {
      const title = `The cleanup job “${name}” fails`;
      return [
        {
          tone: 'warn',
          title,
          text: `${last_error} It is run by each ${owner} in turn.`,
          page: pages.cleanupJobs,
          section,
        },
      ];
    }
    // One that never ran is late if somebody has been there for long enough to have run it.
    const owners = processes?.processes.filter(({ kind }) => kind === owner).map(({ started_at }) => started_at) ?? [];
    const since = cleanupJob.last_finished_at ?? owners.sort()[0];
    const allowedMs = 3 * cleanupJob.every_s * 1_000 + cleanupJobGraceMs;
    if (since === undefined || at.getTime() - Date.parse(since) <= allowedMs) return [];
    const ago = spanText((at.getTime() - Date.parse(since)) / 1_000);
    const text = `It runs every ${spanText(cleanupJob.every_s)}, and has not ended for ${ago}. It is run by each ${owner} in turn.`;
    return [{ tone: 'warn', title: `The cleanup job “${name}” does not run`, text, page: pages.cleanupJobs, section }];
  });
}

function ofAccounts({ queues, activity }: Facts): Issue[] {
  const load = queues?.queues.find(({ name }) => name === 'captures');
  const [busiest] = [...(activity?.accounts ?? [])].sort((one, other) => other.open - one.open);
  if (!load || !busiest) return [];
  const open = load.waiting + load.active;
  if (open <= floodLength || busiest.open < floodShare * open) return [];
  const text = `${busiest.email} has ${countText(busiest.open)} of ${countText(open)} open captures. Accounts take turns, so that the others hardly wait.`;
  const page = { ...pages.accounts, path: `/operator/accounts?email=${encodeURIComponent(busiest.email)}` };
  return [
    { tone: 'warn', title: 'One account has nearly all of the queue', text, page, section: 'CaptureAccountFlooding' },
  ];
}

type Counted = 'completed' | 'failed' | 'deliveries_succeeded' | 'deliveries_failed';

const sumOf = (minutes: Activity['minutes'], name: Counted) =>
  minutes.reduce((sum, minute) => sum + (minute[name] ?? 0), 0);
