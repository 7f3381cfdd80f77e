import { readFileSync } from 'node:fs';
import { didYouMean } from '@capture/contract/did-you-mean';
import { type ContractForm, contractForm, type FormName } from '@capture/contract/forms/forms';
import { parsePlans } from '@capture/contract/forms/plans-file';
import { ConfigError } from './config.ts';

interface FormSettings {
  CONTRACT_FORM: FormName;
  PLANS_FILE?: string | undefined;
  DEFAULT_PLAN?: string | undefined;
}

/**
 * Returns the API profile of this deployment, with the operator's plans in addition to the published plans.
 *
 * @throws {ConfigError} that names the file, the plan, the field and the faulty value.
 */
export function deploymentForm(
  { CONTRACT_FORM, PLANS_FILE, DEFAULT_PLAN }: FormSettings,
  times?: Parameters<typeof contractForm>[1],
): ContractForm {
  const form = contractForm(CONTRACT_FORM, times);
  const plans = { ...form.plans, ...(PLANS_FILE !== undefined && readPlans(PLANS_FILE, Object.keys(form.plans))) };
  const newAccountPlan = DEFAULT_PLAN ?? form.newAccountPlan;
  if (!Object.hasOwn(plans, newAccountPlan)) {
    const names = Object.keys(plans);
    const given = JSON.stringify(newAccountPlan.slice(0, 40));
    throw new ConfigError(
      `DEFAULT_PLAN: must be one of ${names.join(', ')}${didYouMean(newAccountPlan, names)} (given: ${given})`,
    );
  }
  return { ...form, plans, newAccountPlan };
}

function readPlans(file: string, published: readonly string[]) {
  try {
    return parsePlans(readFileSync(file, 'utf8'), published);
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    throw new ConfigError(lines.map((line) => `PLANS_FILE: ${file}: ${line}`).join('\n'));
  }
}
