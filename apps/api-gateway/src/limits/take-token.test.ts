import { forms } from '@capture/contract/forms/forms';
import { expect, it } from '@jest/globals';
import { rateLimited } from './take-token.ts';

it.each([
  [1, '1 request a second'],
  [20, '20 requests a second'],
])('names the limit of a plan that allows %d a second', (perSecond, text) => {
  const { free } = forms.B.plans;
  if (!free) throw new Error('there is no plan named free');
  const caller = { accountId: 'acc_1', keyId: 'key_1', sessionId: null, used: 0, reserved: 0 };
  const error = rateLimited({ ...caller, planName: 'free', plan: { ...free, perSecond } }, 1_500);
  expect(error.message).toBe(`The plan free allows ${text}.`);
  expect(error.retryAfterS).toBe(2);
});
