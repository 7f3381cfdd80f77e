import { once } from 'node:events';
import { deleteExpiredSessions } from '@capture/database/accounts/sessions';
import { deleteOldSignInLinks } from '@capture/database/accounts/sign-in-links';
import { cleanupJobs } from '@capture/database/cleanup/cleanup-jobs';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import { deleteExpiredResponses } from '@capture/database/idempotency';
import { startReporting } from '@capture/queue/process-reports';
import { readConfig } from '@capture/runtime/config';
import { every } from '@capture/runtime/service/every';
import { runService } from '@capture/runtime/service/service';
import { createApp } from './app.ts';
import { createDependencies, gatewaySettings } from './create-dependencies.ts';
import { closeHttpServer, createHttpServer } from './http/http-server.ts';
import { startRetention } from './operator/retention.ts';

/**
 * An idle connection stays open longer than load balancers keep theirs (usually 60 s): otherwise a load balancer sends a request
 * into a connection that the gateway is closing, and returns 502.
 */
const keepAliveMs = 75_000;

runService({
  name: 'api-gateway',
  async start({ log, lifecycle }) {
    const config = readConfig(gatewaySettings, process.env);
    const dependencies = await createDependencies(config, { log, lifecycle });
    const { database, redis, batchWatcher } = dependencies;

    const server = createHttpServer(createApp(dependencies), log);
    server.keepAliveTimeout = keepAliveMs;
    server.listen(config.PORT);
    await once(server, 'listening');
    lifecycle.closing('http server', () => closeHttpServer(server));
    // The streams close before the server, which waits for open streams.
    lifecycle.closing('batch streams', () => batchWatcher.close());

    for (const [name, deleteExpired] of [
      ['idempotency keys', deleteExpiredResponses],
      ['sessions', deleteExpiredSessions],
      ['sign-in links', deleteOldSignInLinks],
    ] as const) {
      const run = () => runCleanupJob(database.pool, name, () => deleteExpired(database.pool));
      lifecycle.closing(`cleanup of ${name}`, every(cleanupJobs[name].everyMs, name, log, run));
    }
    const retentionDays = config.CAPTURE_RETENTION_DAYS;
    lifecycle.closing('retention', startRetention({ database, log, retentionDays }));
    const detail = () => {
      const replays = dependencies.runningReplays.list();
      // During an upgrade, processes of the previous version accept no report with this field.
      return { cache: dependencies.cacheResults.uses(), ...(replays.length > 0 && { replays }) };
    };
    lifecycle.closing('process report', startReporting({ redis, kind: 'api-gateway', detail }));
    log.info({ port: config.PORT }, 'listening');
  },
});
