import type { Dependencies } from './create-dependencies.ts';
import type { Route } from './http/route.ts';
import { accountRoute, signingSecretRoutes } from './routes/accounts/account.ts';
import { addKeyRoute, listKeysRoute, revokeKeyRoute, rotateKeyRoute } from './routes/accounts/keys.ts';
import { registerRoute } from './routes/accounts/register.ts';
import { signInRoute, signOutRoute } from './routes/accounts/session.ts';
import { signInLinkRoute } from './routes/accounts/sign-in-link.ts';
import { usageRoute } from './routes/accounts/usage.ts';
import { batchArchiveRoute } from './routes/captures/batch-archive.ts';
import { batchEventsRoute } from './routes/captures/batch-events.ts';
import { batchRoute, cancelBatchRoute, listBatchesRoute, submitBatchRoute } from './routes/captures/batches.ts';
import { captureRoute, deleteCaptureRoute, listCapturesRoute } from './routes/captures/captures.ts';
import { fileRoute } from './routes/captures/file.ts';
import { newCaptureRoutes } from './routes/captures/new-capture.ts';
import { thumbnailRoute } from './routes/captures/thumbnail.ts';
import { compatRoutes } from './routes/compat/protocols.ts';
import { linkSettingsRoutes } from './routes/links/link-settings.ts';
import { renderLinkRoute } from './routes/links/render-link.ts';
import { signLinkRoute } from './routes/links/sign-link.ts';
import {
  operatorChangeAccountRoute,
  operatorDeleteAccountRoute,
  operatorIssueKeyRoute,
  operatorIssueSecretRoute,
  operatorListAccountsRoute,
} from './routes/operator/accounts.ts';
import { operatorCapturesRoute } from './routes/operator/captures.ts';
import { operatorDeliveryRoutes } from './routes/operator/deliveries.ts';
import { operatorDeploymentRoutes } from './routes/operator/deployment.ts';
import { operatorBoardRoutes } from './routes/operator/queue-board.ts';
import { operatorCountSecretsRoute, operatorReencryptRoute } from './routes/operator/secrets.ts';
import { presetRoutes } from './routes/presets/presets.ts';
import { dashboardRoutes } from './routes/service/dashboard.ts';
import { docsRoutes } from './routes/service/docs.ts';
import { healthRoute, readyRoute } from './routes/service/health.ts';
import { mcpRoute } from './routes/service/mcp.ts';
import { metricsRoute } from './routes/service/metrics.ts';
import { openApiRoute } from './routes/service/openapi.ts';
import { serviceIndexRoute } from './routes/service/service-index.ts';
import { deliveryRoutes } from './routes/webhooks/deliveries.ts';
import { endpointStatisticsRoute } from './routes/webhooks/endpoint-statistics.ts';
import { webhookTestRoute } from './routes/webhooks/webhook-test.ts';
import { endpointRoutes } from './routes/webhooks/webhooks.ts';

/** Every route of the service, each declared in its own file. A test checks the table against the contract. */
export function routeTable(dependencies: Dependencies): Route[] {
  const routes: Route[] = [
    ...newCaptureRoutes(dependencies),
    listCapturesRoute(dependencies),
    captureRoute(dependencies),
    deleteCaptureRoute(dependencies),
    thumbnailRoute(dependencies),

    submitBatchRoute(dependencies),
    listBatchesRoute(dependencies),
    batchRoute(dependencies),
    cancelBatchRoute(dependencies),
    batchEventsRoute(dependencies),
    batchArchiveRoute(dependencies),

    ...presetRoutes(dependencies),
    ...linkSettingsRoutes(dependencies),
    signLinkRoute(dependencies),
    renderLinkRoute(dependencies),

    // These routes stand before the endpoints' paths, whose `:id` would match `deliveries`.
    ...(dependencies.form.webhooks.registration
      ? [...deliveryRoutes(dependencies), ...endpointRoutes(dependencies), endpointStatisticsRoute(dependencies)]
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
    signInLinkRoute(dependencies),
    fileRoute(dependencies),

    operatorListAccountsRoute(dependencies),
    operatorChangeAccountRoute(dependencies),
    operatorDeleteAccountRoute(dependencies),
    operatorIssueKeyRoute(dependencies),
    operatorIssueSecretRoute(dependencies),
    operatorCapturesRoute(dependencies),
    ...(dependencies.form.webhooks.registration ? operatorDeliveryRoutes(dependencies) : []),
    operatorCountSecretsRoute(dependencies),
    operatorReencryptRoute(dependencies),
    ...operatorDeploymentRoutes(dependencies),
    ...operatorBoardRoutes(dependencies),

    ...compatRoutes(dependencies),

    mcpRoute(dependencies),
    serviceIndexRoute(dependencies),
    healthRoute(),
    readyRoute(dependencies),
    metricsRoute(dependencies),
    openApiRoute(dependencies, () => routes),
    ...docsRoutes(dependencies),
    ...dashboardRoutes(),
  ];
  return routes;
}
