import { statisticsQuery } from '@capture/contract/api/webhook-requests';
import * as schemas from '@capture/contract/api/webhook-responses';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import { countDeliveries } from '@capture/database/endpoints/count-deliveries';
import { findEndpoint } from '@capture/database/endpoints/endpoints';
import { parseQuery, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { noSuchEndpoint } from '../../webhooks/webhook-records.ts';

/** Counts the outcomes of an endpoint's deliveries by day; only in a form with registration. */
export function endpointStatisticsRoute({ database }: { database: Database }): Route {
  return {
    method: 'GET',
    path: '/api/v1/webhooks/:id/statistics',
    auth: 'key',
    cost: 'none',
    id: 'getWebhookStatistics',
    tag: 'Webhooks',
    summary: 'Get an endpoint’s deliveries by day',
    description: 'How many of its deliveries succeeded, failed or wait, day by day.',
    query: statisticsQuery,
    responses: { 200: { description: 'One row per day.', json: schemas.endpointStatistics } },
    async handle({ req, res, caller }) {
      const { days } = parseQuery(req, statisticsQuery, 'statistics');
      const endpoint = await findEndpoint(database, { id: pathParameter(req, 'id'), accountId: caller.accountId });
      if (!endpoint) throw noSuchEndpoint();
      res.json({ days: await countDeliveries(database.pool, { webhookId: endpoint.id, days, at: databaseNow() }) });
    },
  };
}
