import type { deployment } from '@capture/contract/api/operator-responses';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { Surroundings } from './environment.ts';
import { withExamples } from './examples.ts';
import { readOperatorApi } from './operator-api.ts';

export function addDeploymentCommand(program: Command, { platform, printer }: Surroundings): void {
  withExamples(program.command('deployment'), ['deployment', '--json deployment'])
    .description('show the API profile and its plans')
    .action(async () => {
      const found = await readOperatorApi<z.output<typeof deployment>>(platform(), '/deployment');
      const print = printer();
      if (print.json) return print.fact('', found);
      print.fact(`API profile ${found.form} at ${platform().baseUrl}`, {});
      print.fact(`new accounts get the plan ${found.new_account_plan}`, {});
      const unlimited = (limit: number | null) => limit ?? 'unlimited';
      const plans = found.plans.map((plan) => ({
        plan: plan.name,
        monthly_limit: unlimited(plan.monthly_limit),
        per_second: unlimited(plan.per_second),
      }));
      print.rows(plans, ['plan', 'monthly_limit', 'per_second']);
    });
}
