import * as schemas from '@capture/contract/api/operator-responses';
import type { ContractForm } from '@capture/contract/forms/forms';
import type { Route } from '../../http/route.ts';

/** What this deployment is: its published form and that form's plans. */
export function operatorDeploymentRoute({ form }: { form: ContractForm }): Route {
  return {
    method: 'GET',
    path: '/api/operator/deployment',
    auth: 'operator',
    cost: 'none',
    docs: {
      id: 'getDeployment',
      tag: 'Operator',
      summary: 'See what this deployment is',
      responses: { 200: { description: 'Its form and plans.', json: schemas.deployment } },
    },
    async handle({ res }) {
      res.json({
        form: form.name,
        plans: Object.entries(form.plans).map(([name, plan]) => ({
          name,
          monthly_limit: plan.monthlyLimit,
          per_second: plan.perSecond,
        })),
      });
    },
  };
}
