import type { Dependencies } from './dependencies.ts';
import type { Route } from './route.ts';
import { accountRoute, signingSecretRoutes } from './routes/account.ts';
import { batchArchiveRoute } from './routes/batch-archive.ts';
import { batchEventsRoute } from './routes/batch-events.ts';
import { batchRoute, cancelBatchRoute, listBatchesRoute, submitBatchRoute } from './routes/batches.ts';
import { captureRoute, deleteCaptureRoute, listCapturesRoute } from './routes/captures.ts';
import { dashboardRoutes } from './routes/dashboard.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { docsRoutes } from './routes/docs.ts';
import { fileRoute } from './routes/file.ts';
import { healthRoute, readyRoute } from './routes/health.ts';
import { addKeyRoute, listKeysRoute, revokeKeyRoute, rotateKeyRoute } from './routes/keys.ts';
import { metricsRoute } from './routes/metrics.ts';
import { newCaptureRoutes } from './routes/new-capture.ts';
import { openApiRoute } from './routes/openapi.ts';
import {
  operatorChangeAccountRoute,
  operatorDeleteAccountRoute,
  operatorIssueKeyRoute,
  operatorIssueSecretRoute,
  operatorListAccountsRoute,
} from './routes/operator-accounts.ts';
import { operatorActivityRoute } from './routes/operator-activity.ts';
import { operatorBoardRoutes } from './routes/operator-board.ts';
import { operatorDeliveryRoutes } from './routes/operator-deliveries.ts';
import { operatorDeploymentRoute } from './routes/operator-deployment.ts';
import { operatorProcessesRoute } from './routes/operator-processes.ts';
import { operatorQueuesRoute } from './routes/operator-queues.ts';
import { operatorCountSecretsRoute, operatorResealRoute } from './routes/operator-secrets.ts';
import { operatorSweepersRoute } from './routes/operator-sweepers.ts';
import { registerRoute } from './routes/register.ts';
import { signInRoute, signOutRoute } from './routes/session.ts';
import { usageRoute } from './routes/usage.ts';
import { webhookTestRoute } from './routes/webhook-test.ts';
import { endpointRoutes } from './routes/webhooks.ts';

/**
 * Every route of the service. Each states its method, path, whose key it needs and what it costs in its own file; a test
 * prints them as one table and holds it against the contract.
 */
export function routeTable(dependencies: Dependencies): Route[] {
  const routes: Route[] = [
    ...newCaptureRoutes(dependencies),
    listCapturesRoute(dependencies),
    captureRoute(dependencies),
    deleteCaptureRoute(dependencies),

    submitBatchRoute(dependencies),
    listBatchesRoute(dependencies),
    batchRoute(dependencies),
    cancelBatchRoute(dependencies),
    batchEventsRoute(dependencies),
    batchArchiveRoute(dependencies),

    // The deliveries' paths before those of endpoints, whose `:id` would take them in.
    ...(dependencies.form.webhooks.registration
      ? [...deliveryRoutes(dependencies), ...endpointRoutes(dependencies)]
      : [webhookTestRoute(dependencies)]),

    accountRoute(dependencies),
    usageRoute(dependencies),
    ...(dependencies.form.webhooks.ownSigningSecret ? signingSecretRoutes(dependencies) : []),
    listKeysRoute(dependencies),
    addKeyRoute(dependencies),
    revokeKeyRoute(dependencies),
    rotateKeyRoute(dependencies),

    registerRoute(dependencies),
    signInRoute(dependencies),
    signOutRoute(dependencies),
    fileRoute(dependencies),

    operatorListAccountsRoute(dependencies),
    operatorChangeAccountRoute(dependencies),
    operatorDeleteAccountRoute(dependencies),
    operatorIssueKeyRoute(dependencies),
    operatorIssueSecretRoute(dependencies),
    ...(dependencies.form.webhooks.registration ? operatorDeliveryRoutes(dependencies) : []),
    operatorCountSecretsRoute(dependencies),
    operatorResealRoute(dependencies),
    operatorQueuesRoute(dependencies),
    operatorProcessesRoute(dependencies),
    operatorActivityRoute(dependencies),
    operatorSweepersRoute(dependencies),
    operatorDeploymentRoute(dependencies),
    ...operatorBoardRoutes(dependencies),

    healthRoute(),
    readyRoute(dependencies),
    metricsRoute(dependencies),
    openApiRoute(dependencies, () => routes),
    ...docsRoutes(),
    ...dashboardRoutes(),
  ];
  return routes;
}
