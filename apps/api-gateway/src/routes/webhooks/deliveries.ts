import { deliveryFilter, replayedStatuses, replayRequest } from '@capture/contract/api/webhook-requests';
import { parseRequest } from '@capture/contract/options/parse-request';
import { findDelivery, type StoredDelivery } from '@capture/database/deliveries/find-delivery';
import { listDeliveries } from '@capture/database/deliveries/list-deliveries';
import { replayDeliveries, replayDeliveriesWithin } from '@capture/database/deliveries/replay-deliveries';
import { findEndpoint } from '@capture/database/endpoints/find-endpoints';
import { sendSignal } from '@capture/queue/signals';
import type { Dependencies } from '../../dependencies.ts';
import { pageOf, parseQuery, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { once } from '../../limits/idempotency.ts';
import { noSuchDelivery, retry } from '../../webhooks/retry.ts';
import { deliveryRecord, deliveryWithAttempts, noSuchEndpoint } from '../../webhooks/webhook-records.ts';

const path = '/api/v1/webhooks/deliveries';

/** The delivery log, retries and replays; only in a form that has them. */
export function deliveryRoutes(dependencies: Dependencies): Route[] {
  return [
    listDeliveriesRoute(dependencies),
    deliveryRoute(dependencies),
    retryDeliveryRoute(dependencies),
    replayRoute(dependencies),
  ];
}

function listDeliveriesRoute({ form, database }: Pick<Dependencies, 'form' | 'database'>): Route {
  const filter = deliveryFilter(form);
  return {
    method: 'GET',
    path,
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const { limit, cursor, status, event, webhook_id, since, until } = parseQuery(req, filter, 'this list');
      const found = await listDeliveries(database.pool, {
        accountId: caller.accountId,
        webhookId: webhook_id ?? null,
        status: status ?? null,
        event: event ?? null,
        since: since ?? null,
        until: until ?? null,
        after: cursor ?? null,
        limit: limit + 1,
      });
      res.json(pageOf('deliveries', found, limit, deliveryRecord));
    },
  };
}

function deliveryRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'GET',
    path: `${path}/:id`,
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const key = { id: pathParameter(req, 'id'), accountId: caller.accountId };
      const delivery = await findDelivery(database.pool, key);
      if (!delivery) throw noSuchDelivery();
      res.json(deliveryWithAttempts(delivery));
    },
  };
}

function retryDeliveryRoute(dependencies: Dependencies): Route {
  return {
    method: 'POST',
    path: `${path}/:id/retry`,
    auth: 'key',
    cost: 'none',
    async handle(exchange) {
      const { req, res, caller, facts } = exchange;
      const id = pathParameter(req, 'id');
      facts.delivery_id = id;
      const result = await once<StoredDelivery>(
        dependencies,
        exchange,
        {},
        {
          needsTransaction: true,
          make: (connection) => retry(connection, { id, accountId: caller.accountId }),
          remember: (delivery) => ({ captureId: null, answer: deliveryRecord(delivery) }),
        },
      );
      if (!result.replayed) void sendSignal(dependencies.redis, 'deliveriesDue');
      res.status(202).json(result.answer.answer);
    },
  };
}

function replayRoute(dependencies: Dependencies): Route {
  const { database, redis } = dependencies;
  return {
    method: 'POST',
    path: '/api/v1/webhooks/:id/replay',
    auth: 'key',
    cost: 'none',
    body: 'json',
    async handle(exchange) {
      const { req, res, caller, facts } = exchange;
      const { since, until, status } = parseRequest(replayRequest, req.body, 'a replay');
      const webhookId = pathParameter(req, 'id');
      facts.webhook_id = webhookId;
      const replay = {
        accountId: caller.accountId,
        webhookId,
        since,
        until: until ?? null,
        statuses: replayedStatuses(status),
        at: new Date(),
      };
      const result = await once<number>(dependencies, exchange, req.body, {
        check: async () => {
          if (!(await findEndpoint(database.pool, { id: webhookId, accountId: caller.accountId }))) {
            throw noSuchEndpoint();
          }
        },
        needsTransaction: true,
        // The count that a key remembers and what it counts must be true or untrue together.
        make: (connection) => replayDeliveriesWithin(connection, replay),
        makeAlone: () => replayDeliveries(database.pool, replay),
        remember: (replayed) => ({ captureId: null, answer: { replayed } }),
      });
      if (!result.replayed) {
        facts.deliveries_replayed = result.made;
        void sendSignal(redis, 'deliveriesDue');
      }
      res.status(202).json(result.answer.answer);
    },
  };
}
