import { usageQuery } from '@capture/contract/api/account-requests';
import { countUsage } from '@capture/database/accounts/count-usage';
import type { Dependencies } from '../../dependencies.ts';
import { parseQuery } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

/** What the account used, by the day. */
export function usageRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'GET',
    path: '/api/v1/usage',
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const { days } = parseQuery(req, usageQuery, 'usage');
      res.json({ days: await countUsage(database.pool, { accountId: caller.accountId, days, at: new Date() }) });
    },
  };
}
