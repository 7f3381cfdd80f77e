import type { Dependencies } from '../../dependencies.ts';
import type { Route } from '../../http/route.ts';

/** What this deployment is: its published form and that form's plans. */
export function operatorDeploymentRoute({ form }: Pick<Dependencies, 'form'>): Route {
  return {
    method: 'GET',
    path: '/api/operator/deployment',
    auth: 'operator',
    cost: 'none',
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
