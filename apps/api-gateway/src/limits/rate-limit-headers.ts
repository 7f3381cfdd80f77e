import { nextMonth } from '@capture/contract/api/month';
import type { ContractForm, Plan } from '@capture/contract/forms/forms';
import type { Response } from 'express';

/** Sets the headers of the monthly quota, as the form has them; an unlimited plan has no such headers. */
export function setQuotaHeaders(
  res: Response,
  form: ContractForm,
  plan: Plan,
  usage: { used: number; reserved: number },
  at: Date,
): void {
  if (plan.monthlyLimit !== null) {
    res.setHeader('X-RateLimit-Limit', plan.monthlyLimit);
    res.setHeader('X-RateLimit-Remaining', Math.max(0, plan.monthlyLimit - usage.used - usage.reserved));
  }
  if (form.headers.rateLimitReset) res.setHeader('X-RateLimit-Reset', nextMonth(at).toISOString().slice(0, 10));
}

/** Sets the seconds until the next request is allowed, if the form sends them with every response. */
export function setRetryAfterHeader(res: Response, form: ContractForm, waitMs: number): void {
  if (form.headers.retryAfter === 'always') res.setHeader('X-RateLimit-RetryAfter', Math.ceil(waitMs / 1_000));
}
