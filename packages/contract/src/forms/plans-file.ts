import { z } from 'zod';
import { didYouMean } from '../did-you-mean.ts';
import type { Plan } from './forms.ts';

/** The burst of a plan with `null`: no client empties this bucket. */
const unlimitedBurst = 1_000_000_000;

/** The file retention of a plan with `null`: a hundred years, because file links need a date. */
const unlimitedDays = 36_500;

const limit = (minimum: number, maximum: number) => z.int().min(minimum).max(maximum).nullable();

const fields = {
  monthly: limit(0, 1_000_000_000),
  per_second: limit(1, 1_000_000),
  burst: limit(0, 1_000_000),
  concurrency: limit(1, 10_000),
  retention_days: limit(1, 3_650),
};

/** A plan of the file; `null` is unlimited. */
const planEntry = z.strictObject(fields).transform(
  (plan): Plan => ({
    monthlyLimit: plan.monthly,
    perSecond: plan.per_second,
    burst: plan.burst ?? unlimitedBurst,
    fileRetentionDays: plan.retention_days ?? unlimitedDays,
    concurrency: plan.concurrency ?? Number.POSITIVE_INFINITY,
  }),
);

const planName = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/**
 * Parses the operator's plans.
 *
 * @param text the content of `PLANS_FILE`.
 * @param published the names of the API profile's plans, which the file cannot change.
 * @throws {Error} that names each plan, field and faulty value, one per line.
 */
export function parsePlans(text: string, published: readonly string[]): Record<string, Plan> {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new Error(`is not valid JSON: ${(error as Error).message}`);
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new Error('must be an object of plans by name');
  }
  const entries = Object.entries(given).map(([name, plan]) => {
    if (!planName.test(name)) return { faults: [`${JSON.stringify(name)} is not a name: a to z, digits, - and _`] };
    if (published.includes(name)) return { faults: [`${name} is a published plan; choose another name`] };
    const result = planEntry.safeParse(plan);
    if (result.success) return { faults: [], entry: [name, result.data] as const };
    return { faults: result.error.issues.flatMap((issue) => describeFaults(issue, plan).map((fault) => name + fault)) };
  });
  const faults = entries.flatMap((entry) => entry.faults);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return Object.fromEntries(entries.flatMap(({ entry }) => (entry ? [entry] : [])));
}

function describeFaults(issue: z.core.$ZodIssue, plan: unknown): string[] {
  const [field] = issue.path;
  const names = Object.keys(fields);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `.${key} is not known${didYouMean(key, names)}`);
  if (field === undefined) return [` must be an object with ${names.join(', ')}`];
  const value = (plan as Record<PropertyKey, unknown>)[field];
  if (value === undefined) return [`.${String(field)} is required; null is unlimited`];
  const bound = { too_small: 'at least', too_big: 'at most' }[issue.code as string];
  const isBound = issue.code === 'too_small' || issue.code === 'too_big';
  const wanted = isBound ? `${bound} ${'minimum' in issue ? issue.minimum : issue.maximum}` : 'a whole number or null';
  return [`.${String(field)} must be ${wanted} (given: ${JSON.stringify(value)})`];
}

/** Formats a limit of a plan for people. */
export function describeLimit(figure: number | null): string {
  const isUnlimited = figure === null || figure === Number.POSITIVE_INFINITY || figure === unlimitedBurst;
  return isUnlimited ? 'unlimited' : figure.toLocaleString('en-US');
}

export const describeRetention = (days: number) => (days === unlimitedDays ? 'unlimited' : String(days));
