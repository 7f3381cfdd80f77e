import { pageOfRows } from '@capture/contract/api/responses';
import {
  operatorDeliveryFilter,
  operatorReplayRequest,
  replayedStatuses,
} from '@capture/contract/api/webhook-requests';
import * as schemas from '@capture/contract/api/webhook-responses';
import type { ContractForm } from '@capture/contract/forms/forms';
import { parseRequest } from '@capture/contract/options/parse-request';
import { findEmails } from '@capture/database/accounts/accounts';
import { type Database, transaction } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import {
  attemptsShown,
  findDelivery,
  listDeliveries,
  type StoredDelivery,
} from '@capture/database/deliveries/find-deliveries';
import { countReplayable, type Replay, replayDeliveries } from '@capture/database/deliveries/replay-deliveries';
import { sendSignal } from '@capture/queue/signals';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { pageOf, parseQuery, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { noSuchDelivery, retry } from '../../webhooks/retry.ts';
import type { RunningReplays } from '../../webhooks/running-replays.ts';
import { deliveriesOf, deliveryRecord, deliveryWithAttempts } from '../../webhooks/webhook-records.ts';

const path = '/api/operator/deliveries';

interface DeliveryDependencies {
  form: ContractForm;
  database: Database;
  redis: Redis;
  runningReplays: RunningReplays;
}

/** Routes for deliveries of all accounts, to registered endpoints and to the URLs of requests; only in a form with a history. */
export function operatorDeliveryRoutes(dependencies: DeliveryDependencies): Route[] {
  return [
    listRoute(dependencies),
    // This route stands before the route of one delivery, whose `:id` would match `replay`.
    countRoute(dependencies),
    replayRoute(dependencies),
    deliveryRoute(dependencies),
    retryRoute(dependencies),
  ];
}

const owner = { account_id: z.string(), account_email: z.string() };

const operatorDelivery = (form: ContractForm) => schemas.delivery(form).extend(owner);

/** Adds the fields that only the operator sees of a delivery. */
async function ownersOf(database: Database, deliveries: readonly StoredDelivery[]) {
  const emails = await findEmails(
    database,
    deliveries.map(({ accountId }) => accountId),
  );
  return ({ accountId }: StoredDelivery) => ({ account_id: accountId, account_email: emails.get(accountId) ?? '' });
}

function listRoute({ form, database }: DeliveryDependencies): Route {
  const filter = operatorDeliveryFilter(form);
  return {
    method: 'GET',
    path,
    auth: 'operator',
    id: 'listAllDeliveries',
    tag: 'Operator',
    summary: 'List deliveries of all accounts',
    description: 'Newest first, with the account of each.',
    query: filter,
    responses: {
      200: { description: 'A page of deliveries.', json: pageOfRows('deliveries', operatorDelivery(form)) },
    },
    async handle({ req, res }) {
      const query = parseQuery(req, filter, 'this list');
      const page = deliveriesOf(query, query.account_id ?? null);
      const { deliveries, searchedTo } = await listDeliveries(database.pool, page);
      const ownerOf = await ownersOf(database, deliveries);
      const record = (delivery: StoredDelivery) => ({ ...deliveryRecord(delivery), ...ownerOf(delivery) });
      res.json(pageOf('deliveries', deliveries, query.limit, record, searchedTo));
    },
  };
}

function deliveryRoute({ form, database }: DeliveryDependencies): Route {
  return {
    method: 'GET',
    path: `${path}/:id`,
    auth: 'operator',
    id: 'getAnyDelivery',
    tag: 'Operator',
    summary: 'Get a delivery with its attempts',
    description: `The payload, and the time, status and error of the last ${attemptsShown} attempts.`,
    responses: { 200: { description: 'The delivery.', json: schemas.deliveryWithAttempts(form).extend(owner) } },
    async handle({ req, res, facts }) {
      const delivery = await findDelivery(database.pool, { id: pathParameter(req, 'id'), accountId: null });
      if (!delivery) throw noSuchDelivery();
      facts.account_id = delivery.accountId;
      const ownerOf = await ownersOf(database, [delivery]);
      res.json({ ...deliveryWithAttempts(delivery), ...ownerOf(delivery) });
    },
  };
}

function retryRoute({ form, database, redis }: DeliveryDependencies): Route {
  return {
    method: 'POST',
    path: `${path}/:id/retry`,
    auth: 'operator',
    id: 'retryAnyDelivery',
    tag: 'Operator',
    summary: 'Retry a delivery',
    description: 'Schedules an attempt now, whatever the retry schedule says.',
    responses: { 202: { description: 'The delivery.', json: operatorDelivery(form) } },
    async handle({ req, res, facts }) {
      const id = pathParameter(req, 'id');
      facts.delivery_id = id;
      const delivery = await transaction(database.pool, (connection) => retry(connection, { id, accountId: null }));
      facts.account_id = delivery.accountId;
      void sendSignal(redis, 'deliveriesDue');
      const ownerOf = await ownersOf(database, [delivery]);
      res.status(202).json({ ...deliveryRecord(delivery), ...ownerOf(delivery) });
    },
  };
}

/** Counts the deliveries that a replay with the same parameters would send. */
function countRoute({ database }: DeliveryDependencies): Route {
  return {
    method: 'GET',
    path: `${path}/replay`,
    auth: 'operator',
    id: 'countReplayableDeliveries',
    tag: 'Operator',
    summary: 'Count the deliveries that a replay would send',
    description: 'Takes the same filters as the replay, and sends nothing.',
    query: operatorReplayRequest,
    responses: { 200: { description: 'The number of deliveries.', json: schemas.replayable } },
    async handle({ req, res }) {
      const request = parseQuery(req, operatorReplayRequest, 'a replay');
      res.json({ replayable: await countReplayable(database.pool, replayOf(request)) });
    },
  };
}

function replayOf(request: z.output<typeof operatorReplayRequest>): Replay {
  return {
    accountId: request.account_id ?? null,
    webhookId: request.webhook_id ?? null,
    since: request.since,
    until: request.until ?? null,
    statuses: replayedStatuses(request.status),
    at: databaseNow(),
  };
}

function replayRoute({ database, redis, runningReplays }: DeliveryDependencies): Route {
  return {
    method: 'POST',
    path: `${path}/replay`,
    auth: 'operator',
    id: 'replayDeliveries',
    tag: 'Operator',
    summary: 'Replay deliveries',
    description:
      'Sends past deliveries again that match the filters, with the same event ids. Receivers recognize repeats by that id. Deliveries of deleted endpoints are left out. Works in slices. The deliveries that an interrupted request has replayed stay replayed. A repeated request replays the rest, and deliveries that have ended since: with `delivered` or `all`, receivers get those events again.',
    body: {
      schema: operatorReplayRequest,
      example: { status: 'failed', since: '2026-11-20T00:00:00Z' },
      required: true,
    },
    responses: { 202: { description: 'The number of replayed deliveries.', json: schemas.replayed } },
    async handle({ req, res, facts }) {
      const request = parseRequest(operatorReplayRequest, req.body, 'a replay');
      const replay = replayOf(request);
      const replayed = await runningReplays.run(replay, (report) => replayDeliveries(database.pool, replay, report));
      facts.deliveries_replayed = replayed;
      if (replayed > 0) void sendSignal(redis, 'deliveriesDue');
      res.status(202).json({ replayed });
    },
  };
}
