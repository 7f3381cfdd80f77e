import type { Plan } from './forms.ts';

const dayMs = 86_400_000;

/**
 * When the file of a capture that ends at `at` goes, and the link to it stops; in whole seconds, as the link counts them.
 *
 * @param retentionDays in place of the plan's.
 */
export function fileExpiresAt(plan: Plan, at: Date, retentionDays: number = plan.fileRetentionDays): Date {
  return new Date(Math.floor(at.getTime() / 1_000) * 1_000 + retentionDays * dayMs);
}
