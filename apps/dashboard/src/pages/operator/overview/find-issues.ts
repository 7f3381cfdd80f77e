import { alertThresholds as limits } from '@capture/contract/alert-thresholds';
import { cleanupJobLateMs } from '@capture/contract/late-cleanup-job';
import type { Activity, CleanupJobList, ProcessList, QueueList } from '../../../api/responses.ts';
import { boundedCountText, countText, durationText, spanText } from '../../../ui/figures.ts';

/** A problem, and where to look next. */
export interface Issue {
  /** `bad`: clients notice the problem or will soon; `warn`: an operator should look. */
  tone: 'bad' | 'warn';
  title: string;
  /** The problem's consequences, with figures. */
  text: string;
  /** The page with details. */
  page: { path: string; label: string };
  /** The section of docs/runbook.md. */
  section: string;
}

/** The input of the checks. Parts that could not be read are missing, and `error` reports that as a separate issue. */
export interface Facts {
  queues?: QueueList | undefined;
  processes?: ProcessList | undefined;
  cleanupJobs?: CleanupJobList | undefined;
  /** The activity of the last hour. */
  activity?: Activity | undefined;
  /** Deliveries that used up their retries in the last day. */
  exhausted?: number | undefined;
  /** Why a request for these facts failed. */
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

/** A wait to report, milliseconds: a third of the time after which a synchronous capture is refused. */
const longWaitMs = 10_000;

/** With fewer captures or attempts, a failure rate means nothing. */
const minimumSample = 10;

/** The number of minutes that failure rates cover, so that one bad minute does not count. */
const checkedMinutes = limits.deliveryMinutes;

/** A host with fewer deliveries to retry has a temporary problem. */
const failingAtHost = 5;

/** Lists all issues, the worst first. */
export function findIssues(facts: Facts): Issue[] {
  const found = [
    ...readErrors(facts),
    ...serverIssues(facts),
    ...processIssues(facts),
    ...captureIssues(facts),
    ...deliveryIssues(facts),
    ...cleanupJobIssues(facts),
    ...accountIssues(facts),
  ];
  return found.sort((one, other) => Number(one.tone === 'warn') - Number(other.tone === 'warn'));
}

function readErrors({ error }: Facts): Issue[] {
  if (!error) return [];
  const text = `${asSentence(error.message)} Problems in the missing data are not shown.`;
  return [{ tone: 'bad', title: 'Some data cannot be read', text, page: pages.queues, section: 'CaptureDatabaseDown' }];
}

function serverIssues({ processes }: Facts): Issue[] {
  if (!processes) return [];
  const { redis, database, at } = processes;
  const issues: Issue[] = [];
  const page = pages.processes;
  if (redis === 'unavailable') {
    const text =
      'No capture or delivery starts until it is back. Nothing is lost: its jobs are created again from Postgres.';
    issues.push({ tone: 'bad', title: 'Redis is unavailable', text, page, section: 'CaptureRedisDown' });
  }
  if (redis === 'evicting') {
    const text = 'Its maxmemory-policy is not noeviction: when it is full, it drops jobs, which then start late.';
    issues.push({ tone: 'bad', title: 'Redis may evict jobs', text, page, section: 'CaptureRedisEvicting' });
  }
  if (database.waiting > 0) {
    const text = `All ${countText(database.connections)} of this gateway are in use, and ${countText(database.waiting)} statements are waiting for one.`;
    const section = 'CaptureDatabasePoolExhausted';
    issues.push({ tone: 'bad', title: 'Connections to Postgres are short', text, page, section });
  } else if (database.response_ms === null || database.response_ms >= limits.databaseResponseS * 1_000) {
    const took = database.response_ms === null ? 'over two seconds' : durationText(database.response_ms);
    const text = `A bare statement takes this gateway ${took}. Everything waits for Postgres: requests, captures, deliveries.`;
    issues.push({ tone: 'bad', title: 'Postgres is slow', text, page, section: 'CaptureDatabaseSlow' });
  }
  // A process last seen in the future has a clock that is ahead. A process whose clock is behind looks stopped, or just slow.
  const ahead = processes.processes.filter(
    ({ seen_at }) => Date.parse(seen_at) - Date.parse(at) > limits.clockOffsetS * 1_000,
  );
  if (ahead.length > 0 || Math.abs(database.clock_offset_ms ?? 0) > limits.clockOffsetS * 1_000) {
    const whose = ahead.map(({ kind, host, pid }) => `${kind} on ${host} (pid ${pid})`).join(', ') || 'this gateway';
    const text = `Clock of ${whose}. Signatures appear too old or too new, and certificates expired.`;
    issues.push({ tone: 'bad', title: 'A clock is wrong', text, page, section: 'CaptureClockWrong' });
  }
  return issues;
}

function processIssues({ queues, processes, at }: Facts): Issue[] {
  const issues: Issue[] = [];
  const section = 'CaptureNoWorkers';
  const loads = new Map(queues?.queues.map((queue) => [queue.name, queue]));
  const [captures, deliveries] = [loads.get('captures'), loads.get('deliveries')];
  if (captures?.workers === 0) {
    const text = `Nothing is captured; ${countText(captures.waiting)} are queued. Synchronous requests are refused after 30 seconds.`;
    issues.push({ tone: 'bad', title: 'No capture worker is running', text, page: pages.processes, section });
  }
  if (deliveries?.workers === 0) {
    const text = `Nothing is delivered; ${countText(deliveries.waiting)} are due. They will be late; none is lost.`;
    issues.push({ tone: 'bad', title: 'No webhook dispatcher is running', text, page: pages.processes, section });
  }
  for (const process of processes?.processes ?? []) {
    if (process.kind !== 'capture-worker') continue;
    const { state, restarts, last_error } = process.detail.browser;
    const worker = `${process.host} (pid ${process.pid})`;
    const hours = Math.max(1, (at.getTime() - Date.parse(process.started_at)) / 3_600_000);
    if (state === 'failing') {
      const text = `The worker on ${worker} captures nothing. ${asSentence(last_error ?? '')}`;
      const title = 'A browser does not start';
      issues.push({ tone: 'bad', title, text, page: pages.processes, section: 'CaptureBrowserDown' });
    } else if (restarts / hours >= limits.browserRestarts) {
      const text = `On ${worker}: ${countText(restarts)} times in the last ${spanText(hours * 3_600)}.`;
      const title = 'A browser keeps crashing';
      issues.push({ tone: 'warn', title, text, page: pages.processes, section: 'CaptureBrowserRestarts' });
    }
  }
  return issues;
}

function captureIssues({ queues, activity }: Facts): Issue[] {
  const load = queues?.queues.find(({ name }) => name === 'captures');
  const minutes = activity?.minutes ?? [];
  const last = minutes.slice(-limits.stuckMinutes);
  const ended = last.reduce((sum, { completed, failed }) => sum + completed + failed, 0);
  const oldestS = load?.oldest_waiting_s ?? 0;
  const waitedMs = Math.max(0, ...last.map(({ waited_p95_ms }) => waited_p95_ms ?? 0));
  const issues: Issue[] = [];
  if (load && load.workers > 0 && activity && ended === 0 && oldestS >= limits.stuckMinutes * 60) {
    const text = `${countText(load.waiting)} are queued, ${countText(load.active)} are being processed, and none has ended for ${limits.stuckMinutes} minutes.`;
    issues.push({ tone: 'bad', title: 'Captures are stuck', text, page: pages.queues, section: 'CaptureQueueStuck' });
  } else if (oldestS >= limits.oldestCaptureS || waitedMs >= longWaitMs) {
    const waited =
      waitedMs >= longWaitMs
        ? `Synchronous captures waited up to ${durationText(waitedMs)} for a worker in the last ${limits.stuckMinutes} minutes; they are refused after 30 s.`
        : `The oldest has been queued for ${spanText(oldestS)}.`;
    const text = `${waited} ${countText(load?.waiting ?? 0)} are queued. Add a worker.`;
    const section = 'CaptureQueueWaitLong';
    issues.push({ tone: 'warn', title: 'Captures wait too long', text, page: pages.queues, section });
  }
  const recent = minutes.slice(-checkedMinutes);
  const [completed, failed] = [sumOf(recent, 'completed'), sumOf(recent, 'failed')];
  if (completed + failed >= minimumSample && failed > completed) {
    const text = `${countText(failed)} of ${countText(completed + failed)} in the last ${checkedMinutes} minutes. The error_code in the log says whether the pages or the platform are at fault.`;
    const section = 'CaptureRenderingFailed';
    issues.push({ tone: 'warn', title: 'Most captures fail', text, page: pages.activity, section });
  }
  return issues;
}

function deliveryIssues({ queues, activity, exhausted }: Facts): Issue[] {
  const issues: Issue[] = [];
  const load = queues?.queues.find(({ name }) => name === 'deliveries');
  if (load && load.workers > 0 && (load.oldest_waiting_s ?? 0) > limits.oldestDeliveryS) {
    const text = `${countText(load.waiting)} are due, the first for ${spanText(load.oldest_waiting_s ?? 0)}; ${countText(load.active)} are being sent.`;
    const section = 'CaptureDeliveriesLate';
    issues.push({ tone: 'bad', title: 'Deliveries are late', text, page: pages.pending, section });
  }
  const recent = activity?.minutes.slice(-checkedMinutes) ?? [];
  const [succeeded, failed] = [sumOf(recent, 'deliveries_succeeded'), sumOf(recent, 'deliveries_failed')];
  if (succeeded + failed >= minimumSample && failed >= limits.failedDeliveryShare * (succeeded + failed)) {
    const text = `${countText(failed)} of ${countText(succeeded + failed)} attempts in the last ${checkedMinutes} minutes. If all receivers are affected, the problem is on this side: network, DNS, clock.`;
    const section = 'CaptureDeliveriesFailing';
    issues.push({ tone: 'bad', title: 'Most deliveries fail', text, page: pages.pending, section });
  }
  const hosts = activity?.receivers.filter(({ pending }) => pending >= failingAtHost) ?? [];
  if (hosts.length > 0) {
    const named = hosts
      .slice(0, 3)
      .map(({ host, pending, last_error }) => `${host} (${countText(pending)}, ${last_error})`);
    const more = hosts.length > named.length ? ` and ${hosts.length - named.length} more` : '';
    const text = `${named.join(', ')}${more}. ${hosts.length === 1 ? 'Its owner has' : 'Their owners have'} to fix it; retries continue on schedule.`;
    const title =
      hosts.length === 1 ? 'A receiver is failing' : `Many deliveries to ${hosts.length} receivers are failing`;
    const section = hosts.every(({ last_error }) => last_error === 'tls')
      ? 'CaptureReceiverCertificate'
      : 'CaptureReceiverDown';
    issues.push({ tone: 'warn', title, text, page: pages.pending, section });
  }
  if (exhausted) {
    const title =
      exhausted === 1 ? 'A delivery is exhausted' : `${boundedCountText(exhausted)} deliveries are exhausted`;
    const text = 'They used up their retries in the last day. Replay them when their receivers are back.';
    issues.push({ tone: 'warn', title, text, page: pages.failed, section: 'CaptureReceiverDown' });
  }
  return issues;
}

function cleanupJobIssues({ cleanupJobs, processes, at }: Facts): Issue[] {
  const section = 'CaptureCleanupJobStalled';
  return (cleanupJobs?.cleanup_jobs ?? []).flatMap((cleanupJob): Issue[] => {
    const { name, owner, last_error } = cleanupJob;
    if (last_error !== null) {
      const title = `The cleanup job “${name}” fails`;
      return [
        {
          tone: 'warn',
          title,
          text: `${asSentence(last_error)} Each ${owner} runs it in turn.`,
          page: pages.cleanupJobs,
          section,
        },
      ];
    }
    const lateMs = cleanupJobLateMs(cleanupJob, processes?.processes ?? [], at);
    if (lateMs === null) return [];
    const text = `It is due every ${spanText(cleanupJob.every_s)} and has not finished for ${spanText(lateMs / 1_000)}. Each ${owner} runs it in turn.`;
    return [{ tone: 'warn', title: `The cleanup job “${name}” does not run`, text, page: pages.cleanupJobs, section }];
  });
}

function accountIssues({ queues, activity }: Facts): Issue[] {
  const load = queues?.queues.find(({ name }) => name === 'captures');
  const [busiest] = [...(activity?.accounts ?? [])].sort((one, other) => other.open - one.open);
  if (!load || !busiest) return [];
  const open = load.waiting + load.active;
  if (open <= limits.floodedQueueLength || busiest.open < limits.accountShare * open) return [];
  const text = `${busiest.email} has ${countText(busiest.open)} of ${countText(open)} open captures. Scheduling is round robin, so other accounts hardly wait.`;
  const page = { ...pages.accounts, path: `/operator/accounts?email=${encodeURIComponent(busiest.email)}` };
  return [
    { tone: 'warn', title: 'One account fills most of the queue', text, page, section: 'CaptureAccountFlooding' },
  ];
}

/** Ends the message of an error with a full stop, which most messages lack. */
const asSentence = (text: string) => text.trim().replace(/[^.!?…]$/, '$&.');

type Counted = 'completed' | 'failed' | 'deliveries_succeeded' | 'deliveries_failed';

const sumOf = (minutes: Activity['minutes'], name: Counted) =>
  minutes.reduce((sum, minute) => sum + (minute[name] ?? 0), 0);
