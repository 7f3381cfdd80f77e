import { pageOfRows } from '@capture/contract/api/responses';
import { deliveryFilter, replayedStatuses, replayRequest } from '@capture/contract/api/webhook-requests';
import * as schemas from '@capture/contract/api/webhook-responses';
import type { ContractForm } from '@capture/contract/forms/forms';
import { parseRequest } from '@capture/contract/options/parse-request';
import { databaseNow } from '@capture/database/database-clock';
import {
  attemptsShown,
  findDelivery,
  listDeliveries,
  type StoredDelivery,
} from '@capture/database/deliveries/find-deliveries';
import { firstOfReplay, type ReplayProgress, replaySlice } from '@capture/database/deliveries/replay-deliveries';
import { findEndpoint } from '@capture/database/endpoints/endpoints';
import { sendSignal } from '@capture/queue/signals';
import type { Redis } from 'ioredis';
import { pageOf, parseQuery, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { createIdempotently, type IdempotencyDependencies, type SlicedCreation } from '../../limits/idempotency.ts';
import { noSuchDelivery, retry } from '../../webhooks/retry.ts';
import type { RunningReplays } from '../../webhooks/running-replays.ts';
import { deliveriesOf, deliveryRecord, deliveryWithAttempts, noSuchEndpoint } from '../../webhooks/webhook-records.ts';

const path = '/api/v1/webhooks/deliveries';

interface DeliveryDependencies extends IdempotencyDependencies {
  form: ContractForm;
  redis: Redis;
  runningReplays: RunningReplays;
}

/** Routes for the delivery log, retries and replays; only in a form with registered endpoints. */
export function deliveryRoutes(dependencies: DeliveryDependencies): Route[] {
  return [
    listDeliveriesRoute(dependencies),
    deliveryRoute(dependencies),
    retryDeliveryRoute(dependencies),
    replayRoute(dependencies),
  ];
}

function listDeliveriesRoute({ form, database }: DeliveryDependencies): Route {
  const filter = deliveryFilter(form);
  return {
    method: 'GET',
    path,
    auth: 'key',
    cost: 'none',
    id: 'listDeliveries',
    tag: 'Webhooks',
    summary: 'List deliveries',
    description: 'Newest first. A delivery is one event for one endpoint.',
    query: filter,
    responses: {
      200: { description: 'A page of deliveries.', json: pageOfRows('deliveries', schemas.delivery(form)) },
    },
    async handle({ req, res, caller }) {
      const query = parseQuery(req, filter, 'this list');
      const page = deliveriesOf(query, caller.accountId);
      const { deliveries, searchedTo } = await listDeliveries(database.pool, page);
      res.json(pageOf('deliveries', deliveries, query.limit, deliveryRecord, searchedTo));
    },
  };
}

function deliveryRoute({ form, database }: DeliveryDependencies): Route {
  return {
    method: 'GET',
    path: `${path}/:id`,
    auth: 'key',
    cost: 'none',
    id: 'getDelivery',
    tag: 'Webhooks',
    summary: 'Get a delivery and its attempts',
    description: `The payload, and the time, status and error of the last ${attemptsShown} attempts. \`attempt_count\` counts all of them.`,
    responses: { 200: { description: 'The delivery.', json: schemas.deliveryWithAttempts(form) } },
    async handle({ req, res, caller }) {
      const key = { id: pathParameter(req, 'id'), accountId: caller.accountId };
      const delivery = await findDelivery(database.pool, key);
      if (!delivery) throw noSuchDelivery();
      res.json(deliveryWithAttempts(delivery));
    },
  };
}

function retryDeliveryRoute(dependencies: DeliveryDependencies): Route {
  return {
    method: 'POST',
    path: `${path}/:id/retry`,
    auth: 'key',
    cost: 'none',
    id: 'retryDelivery',
    tag: 'Webhooks',
    summary: 'Retry a delivery',
    description: 'Makes one attempt now and restarts the retry schedule, replacing a pending automatic retry.',
    idempotent: true,
    responses: { 202: { description: 'The delivery.', json: schemas.delivery(dependencies.form) } },
    async handle(exchange) {
      const { req, res, caller, facts } = exchange;
      const id = pathParameter(req, 'id');
      facts.delivery_id = id;
      const result = await createIdempotently<StoredDelivery>(
        dependencies,
        exchange,
        {},
        {
          needsTransaction: true,
          create: (connection) => retry(connection, { id, accountId: caller.accountId }),
          responseOf: (delivery) => ({ captureId: null, body: deliveryRecord(delivery) }),
        },
      );
      if (!result.replayed) void sendSignal(dependencies.redis, 'deliveriesDue');
      res.status(202).json(result.response.body);
    },
  };
}

function replayRoute(dependencies: DeliveryDependencies): Route {
  const { admission, database, redis, runningReplays } = dependencies;
  return {
    method: 'POST',
    path: '/api/v1/webhooks/:id/replay',
    auth: 'key',
    cost: 'none',
    id: 'replayWebhook',
    tag: 'Webhooks',
    summary: 'Replay an endpoint’s deliveries',
    body: { schema: replayRequest, example: { since: '2026-11-20T00:00:00Z' }, required: true },
    description:
      'Works in slices. If the request is interrupted, repeat it with the same `Idempotency-Key`: it continues, and the number covers all of it.',
    idempotent: true,
    responses: { 202: { description: 'The number of replayed deliveries.', json: schemas.replayed } },
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
        at: databaseNow(),
      };
      const creation = (report: (progress: ReplayProgress) => void): SlicedCreation<number, ReplayProgress> => ({
        check: async () => {
          if (!(await findEndpoint(database, { id: webhookId, accountId: caller.accountId }))) {
            throw noSuchEndpoint();
          }
        },
        first: firstOfReplay(replay),
        slice: async (connection, before) => {
          const { progress, isLast } = await replaySlice(connection, replay, before);
          report(progress);
          return { progress, created: isLast ? progress.replayed : null };
        },
        responseOf: (replayed) => ({ captureId: null, body: { replayed } }),
      });
      const result = await admission.run('replay', caller.accountId, () =>
        runningReplays.run(replay, (report) => createIdempotently(dependencies, exchange, req.body, creation(report))),
      );
      if (!result.replayed) {
        facts.deliveries_replayed = result.created;
        void sendSignal(redis, 'deliveriesDue');
      }
      res.status(202).json(result.response.body);
    },
  };
}
