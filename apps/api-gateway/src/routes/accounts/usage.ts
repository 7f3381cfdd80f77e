import { usageQuery } from '@capture/contract/api/account-requests';
import * as schemas from '@capture/contract/api/account-responses';
import { countUsage } from '@capture/database/accounts/count-usage';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import { parseQuery } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

export function usageRoute({ database }: { database: Database }): Route {
  return {
    method: 'GET',
    path: '/api/v1/usage',
    auth: 'key',
    cost: 'none',
    id: 'getUsage',
    tag: 'Account',
    summary: 'Get usage by day',
    description: 'Captures count on the day (UTC) of their request. Captures in progress are not counted yet.',
    query: usageQuery,
    responses: { 200: { description: 'One row per day.', json: schemas.dailyUsage } },
    async handle({ req, res, caller }) {
      const { days } = parseQuery(req, usageQuery, 'usage');
      res.json({ days: await countUsage(database.pool, { accountId: caller.accountId, days, at: databaseNow() }) });
    },
  };
}
