import * as schemas from '@capture/contract/api/operator-responses';
import { activityRequest } from '@capture/contract/api/operator-responses';
import type { ContractForm } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import {
  busiestAccounts,
  failingReceivers,
  type MinuteActivity,
  readActivity,
} from '@capture/database/operator/read-activity';
import { parseQuery } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

/** How many accounts and receivers to list: those that cause problems are among the first. */
const listed = 10;

export function operatorActivityRoute({ database, form }: { database: Database; form: ContractForm }): Route {
  return {
    method: 'GET',
    path: '/api/operator/activity',
    auth: 'operator',
    id: 'readActivity',
    tag: 'Operator',
    summary: 'Get recent activity',
    description: 'Captures and delivery attempts per minute, the busiest accounts, and the receivers that fail.',
    query: activityRequest,
    responses: { 200: { description: 'The activity.', json: schemas.activity } },
    async handle({ req, res }) {
      const { minutes } = parseQuery(req, activityRequest, 'activity');
      const at = databaseNow();
      const since = new Date(at.getTime() - minutes * 60_000);
      const [activity, accounts, receivers] = await Promise.all([
        readActivity(database.pool, { minutes, at }),
        busiestAccounts(database.pool, { since, at, limit: listed }),
        failingReceivers(database.pool, listed),
      ]);
      res.json({
        minutes: activity.map((minute) => minuteRecord(minute, form.webhooks.registration)),
        accounts: accounts.map(({ usedToday, ...account }) => ({ ...account, used_today: usedToday })),
        receivers: receivers.map(({ oldestDueAt, lastError, ...receiver }) => ({
          ...receiver,
          oldest_due_at: oldestDueAt.toISOString(),
          last_error: lastError,
        })),
      });
    },
  };
}

/** @param history whether attempts are stored: without them the counts are unknown. */
function minuteRecord(minute: MinuteActivity, history: boolean) {
  return {
    at: minute.at.toISOString(),
    completed: minute.completed,
    failed: minute.failed,
    cancelled: minute.cancelled,
    p50_ms: minute.p50Ms,
    p95_ms: minute.p95Ms,
    waited_p95_ms: minute.waitedP95Ms,
    deliveries_succeeded: history ? minute.deliveriesSucceeded : null,
    deliveries_failed: history ? minute.deliveriesFailed : null,
  };
}
