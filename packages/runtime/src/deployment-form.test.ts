import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { forms, planOf } from '@capture/contract/forms/forms';
import { makeTestFolder } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';
import { ConfigError } from './config.ts';
import { deploymentForm } from './deployment-form.ts';

const team = { monthly: 5_000, per_second: 4, burst: 10, concurrency: 6, retention_days: 14 };

function fileWith(content: unknown): string {
  const file = path.join(makeTestFolder('plans'), 'plans.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

function faultOf(settings: { PLANS_FILE?: string; DEFAULT_PLAN?: string }): string {
  try {
    deploymentForm({ CONTRACT_FORM: 'B', ...settings });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return '';
}

it('has the published plans, and gives new accounts the plan free by default', () => {
  expect(deploymentForm({ CONTRACT_FORM: 'A' })).toEqual(forms.A);
  expect(deploymentForm({ CONTRACT_FORM: 'B', DEFAULT_PLAN: 'pro' })).toEqual({ ...forms.B, newAccountPlan: 'pro' });
});

it('reads plans in addition to the published plans, with null as unlimited', () => {
  const unlimited = { monthly: null, per_second: null, burst: null, concurrency: null, retention_days: null };
  const form = deploymentForm({ CONTRACT_FORM: 'B', PLANS_FILE: fileWith({ team, unlimited }), DEFAULT_PLAN: 'team' });
  expect(form.newAccountPlan).toBe('team');
  expect(Object.keys(form.plans)).toEqual([...Object.keys(forms.B.plans), 'team', 'unlimited']);
  expect(planOf(form, 'team')).toEqual({
    monthlyLimit: 5_000,
    perSecond: 4,
    burst: 10,
    concurrency: 6,
    fileRetentionDays: 14,
  });
  expect(planOf(form, 'unlimited')).toMatchObject({ monthlyLimit: null, perSecond: null, concurrency: Infinity });
});

it.each([
  ['not JSON', '{"team":', /^PLANS_FILE: \S+plans\.json: is not valid JSON: /],
  ['not an object', [team], /plans\.json: must be an object of plans by name$/],
  [
    'a value of another type',
    { team: { ...team, monthly: '5000' } },
    /: team\.monthly must be a whole number or null \(given: "5000"\)$/,
  ],
  ['a value out of range', { team: { ...team, per_second: 0 } }, /: team\.per_second must be at least 1 \(given: 0\)$/],
  ['a missing field', { team: { ...team, burst: undefined } }, /: team\.burst is required; null is unlimited$/],
  [
    'an unknown field',
    { team: { ...team, persecond: 4 } },
    /: team\.persecond is not known; did you mean per_second\?$/,
  ],
  ['a published plan', { free: team }, /: free is a published plan; choose another name$/],
  ['a plan that is none', { team: null }, /: team must be an object with monthly, per_second, /],
  ['a name', { 'The team': team }, /: "The team" is not a name/],
])('refuses a file with %s', (_title, content, fault) => {
  expect(faultOf({ PLANS_FILE: fileWith(content) })).toMatch(fault);
});

it('names a missing file and an unknown default plan', () => {
  expect(faultOf({ PLANS_FILE: '/nowhere/plans.json' })).toMatch(/^PLANS_FILE: \/nowhere\/plans\.json: ENOENT/);
  expect(faultOf({ DEFAULT_PLAN: 'starte' })).toBe(
    'DEFAULT_PLAN: must be one of free, starter, pro, business, enterprise; did you mean starter? (given: "starte")',
  );
});
