import type { Plan } from './forms.ts';

const dayMs = 86_400_000;

/**
 * When the file of a capture that ends at `at` is deleted and its link expires, in whole seconds as in the link.
 *
 * @param retentionDays replaces the plan's days.
 */
export function fileExpiresAt(plan: Plan, at: Date, retentionDays: number = plan.fileRetentionDays): Date {
  return new Date(Math.floor(at.getTime() / 1_000) * 1_000 + retentionDays * dayMs);
}
