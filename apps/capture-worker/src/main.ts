import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { noteApart } from '@capture/database/captures/accounts-apart';
import { deleteWorker } from '@capture/database/captures/worker-heartbeat';
import { createEncryptor } from '@capture/database/encryption';
import { serviceAddressRules } from '@capture/egress/own-endpoints';
import { startJobWorker } from '@capture/queue/job-worker';
import { startReporting } from '@capture/queue/process-reports';
import { openConnections } from '@capture/queue/service-connections';
import { onSignal, sendSignal } from '@capture/queue/signals';
import { readConfig } from '@capture/runtime/config';
import { deploymentForm } from '@capture/runtime/deployment-form';
import { countCacheResults } from '@capture/runtime/metrics/cache-metrics';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import { measureStorage } from '@capture/runtime/metrics/storage-metrics';
import { every } from '@capture/runtime/service/every';
import { openProcessListener } from '@capture/runtime/service/process-listener';
import { runService } from '@capture/runtime/service/service';
import { serviceSettings } from '@capture/runtime/service-settings';
import { fileUrlMaker } from '@capture/storage/file-link';
import { openStorage } from '@capture/storage/open-storage';
import { openCaptureEgress } from './browser/capture-egress.ts';
import type { SiteIsolation } from './browser/chromium-flags.ts';
import { warmUp } from './capture/warm-up.ts';
import { openCells } from './cells/open-cells.ts';
import { Cleaner } from './clean/clean.ts';
import { withTimeLimit } from './deadline.ts';
import { type BackgroundJobs, startBackgroundJobs } from './job/background-jobs.ts';
import { createCaptureMetrics } from './job/capture-metrics.ts';
import { startFileCleanup } from './job/clean-up-files.ts';
import { processCapture } from './job/process-capture.ts';
import { finishOrRelease, RunningCaptures } from './job/running-captures.ts';
import { SlotRelease } from './job/slot-release.ts';
import { countBrowserEvents, countTakenPages, watchBrowser, workerDetail } from './job/worker-status.ts';
import { defaultConcurrency, goOnWithoutSlot, pagesReady, privateAtOnce } from './limits.ts';
import { AccountPages } from './pool/account-pages.ts';
import { ContextPool } from './pool/context-pool.ts';
import { siteIsolationOf } from './pool/isolation.ts';
import { WarmPages } from './pool/warm-pages.ts';
import { createRenderers } from './render/renderers.ts';

/** A cancelled capture is abandoned within this time, milliseconds. Most heartbeats only read: see `sendHeartbeat`. */
const heartbeatMs = 500;

/** How long a stopping worker waits for its running captures before it requeues them, milliseconds. */
const drainMs = 18_000;

/** How long captures may take to end after their browser is closed, milliseconds. */
const closeJobsWithinMs = 2_000;

runService({
  name: 'capture-worker',
  async start({ log, lifecycle }) {
    const config = readConfig(serviceSettings['capture-worker'], process.env);
    const form = deploymentForm(config);
    const concurrency = config.CAPTURE_CONCURRENCY ?? defaultConcurrency();
    const workerId = `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
    const metrics = createMetrics('capture-worker');
    const needs = {
      database: () => database.pool.query('SELECT 1').then(() => true),
      browser: () => cells.status().state === 'running',
    };
    const listener = await openProcessListener(config, { metrics, needs, lifecycle, log });
    const { rules, own } = await serviceAddressRules(config, listener);
    const captureEgress = await openCaptureEgress(config, { rules, own });
    lifecycle.closing('capture egress', () => captureEgress.close());
    const fileUrlOf = fileUrlMaker(config.PUBLIC_URL ?? `http://localhost:${config.PORT}`, config.SECRET_KEY);

    let backgroundJobs: BackgroundJobs | undefined;
    const onRedisConnected = () => backgroundJobs?.redisReturned();
    const connections = openConnections(config, { log, lifecycle }, { metrics, onRedisConnected });
    const { database, redis } = connections;
    await connections.requireForm(config.CONTRACT_FORM);
    const blocking = connections.openBlockingRedis('blocking redis');
    const captureQueue = connections.openQueue('capture');
    const storage = measureStorage(metrics, config.STORAGE_URL, await openStorage(config.STORAGE_URL));

    const running = new RunningCaptures();
    let closeWorker = async () => {};
    // Running captures end as soon as the browser is closed. Without Redis, closing the job worker never ends.
    lifecycle.closing('job worker', () => withTimeLimit('closing the job worker', closeJobsWithinMs, closeWorker()));

    const { proxyHost } = captureEgress;
    const cells = await openCells({
      env: process.env,
      sandbox: config.CHROMIUM_SANDBOX === 'on',
      userAgent: config.USER_AGENT,
      proxyHost,
      events: countBrowserEvents(metrics),
      siteIsolation: siteIsolationOf(config.ISOLATION),
      privateAtOnce: privateAtOnce(concurrency),
      log,
    });
    lifecycle.closing('browsers', () => cells.close());
    const openPool = (siteIsolation: SiteIsolation) =>
      new ContextPool({ cells, siteIsolation, openProxy: captureEgress.openProxy, size: pagesReady(concurrency), log });
    const pools = { on: openPool('on'), off: openPool('off') };
    const pool = pools[cells.mainKind];
    lifecycle.closing('pages', () => Promise.all([pools.on.close(), pools.off.close()]));
    const warmPages = new WarmPages({
      cells,
      size: config.WARM_PAGES === 'on' ? concurrency : 0,
      recentKeys: concurrency,
      onTaken: countTakenPages(metrics),
    });
    lifecycle.closing('warm pages', () => warmPages.close());
    const accountPages = new AccountPages({
      cells,
      pools,
      warmPages,
      sharedLevel: config.ISOLATION,
      onApart: (accountId) => {
        void sendSignal(redis, 'accountApart', accountId);
        noteApart(database.pool, accountId).catch((error) =>
          log.warn({ err: error }, 'could not record that an account is apart'),
        );
      },
      log,
    });
    const signals = connections.openBlockingRedis('signals');
    onSignal(signals, 'accountApart', (accountId) => accountPages.noteApart(accountId));
    watchBrowser(metrics, { cells, pool, warmPages, running, concurrency });
    const captureMetrics = createCaptureMetrics(metrics);
    const cacheResults = countCacheResults(metrics);

    let pages = concurrency;
    const heartbeat = () => running.renewClaims(database, workerId, pages);
    lifecycle.closing('worker entry', () => deleteWorker(database.pool, workerId));
    lifecycle.closing('heartbeat', every(heartbeatMs, 'heartbeat', log, heartbeat));
    backgroundJobs = startBackgroundJobs({
      database,
      redis,
      form,
      fileUrlOf,
      captureQueue,
      storage,
      onRecovered: captureMetrics.recovered,
      log,
    });
    lifecycle.closing('background jobs', () => backgroundJobs?.stop());

    const cleaner = new Cleaner({ adListsDir: config.AD_LISTS_DIR, log });
    const encryptor = createEncryptor(config.SECRET_KEY, config.SECRET_KEY_PREVIOUS);
    const capturing = {
      cells,
      pool,
      renderers: createRenderers(config.PNG_ENCODER),
      accountPages,
      cleaner,
      encryptor,
      rules,
      form,
      storage,
      fileRetentionDays: config.FILE_RETENTION_DAYS,
    };
    await warmUp(capturing, log);
    await pool.refill();
    const slotRelease = new SlotRelease(goOnWithoutSlot(concurrency));
    const recording = {
      slotRelease,
      database,
      redis,
      fileUrlOf,
      running,
      workerId,
      metrics: captureMetrics,
      cacheResults,
      log,
      schedule: backgroundJobs.schedule,
    };
    const worker = startJobWorker('capture', {
      redis: blocking,
      concurrency,
      handle: ({ captureId }) => processCapture({ ...capturing, ...recording }, captureId),
      onError: (error, job) => log.error({ err: error, request_id: job?.captureId }, 'a job failed'),
    });
    closeWorker = async () => void (await Promise.all([worker.close(), slotRelease.whenAllEnded()]));
    lifecycle.closing('captures', stopCapturing);
    // From now on the scheduler assigns captures to this worker's slots.
    await heartbeat();
    lifecycle.closing('file cleanup', startFileCleanup({ database, storage, log }));
    const detail = () => workerDetail({ concurrency, running, cells, cacheResults });
    lifecycle.closing('process report', startReporting({ redis, kind: 'capture-worker', id: workerId, detail }));
    backgroundJobs.schedule();
    listener?.ready();
    log.info({ concurrency, worker_id: workerId }, 'taking captures');

    async function stopCapturing(): Promise<void> {
      await worker.pause();
      // Without slots the worker gets no more captures, and keeps the captures that it has claimed.
      pages = 0;
      await heartbeat().catch(() => undefined);
      await finishOrRelease({ running, database, log }, drainMs);
    }
  },
});
