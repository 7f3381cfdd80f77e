import { secretOptionNames } from '@capture/contract/options/secret-options';
import { expect, it } from '@jest/globals';
import type { OptionSchema } from '../../api/service.ts';
import { fittingValues, secretOptions } from './form-link.ts';

const options: Record<string, OptionSchema> = {
  width: { type: 'integer' },
  full_page: { type: 'boolean' },
  headers: { type: 'object', additionalProperties: { type: 'string' } },
};

it('excludes the secret options of the contract', () => {
  expect([...secretOptions].sort()).toEqual([...secretOptionNames].sort());
});

it('keeps the options of today whose control can show the value, and no secrets', () => {
  const values = { width: 600, full_page: 'yes', headers: { 'X-Key': 'a' }, removed: 1, constructor: 1 };
  expect(fittingValues(values, options)).toEqual({ width: 600 });
});
