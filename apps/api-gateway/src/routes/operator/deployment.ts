import * as schemas from '@capture/contract/api/operator-responses';
import type { ContractForm } from '@capture/contract/forms/forms';
import type { Route } from '../../http/route.ts';

/** This deployment's published form and pricing plans. */
export function operatorDeploymentRoute({ form }: { form: ContractForm }): Route {
  return {
    method: 'GET',
    path: '/api/operator/deployment',
    auth: 'operator',
    id: 'getDeployment',
    tag: 'Operator',
    summary: 'Get the deployment’s form and plans',
    responses: { 200: { description: 'The form and plans.', json: schemas.deployment } },
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
