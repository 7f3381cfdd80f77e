import { expect, it } from '@jest/globals';
import { bindContractForm } from './deployment-form.ts';
import { query, withEmptyDatabase } from './empty-database.test-support.ts';
import { applyMigrations } from './migrate.ts';

it('binds a database to the first requested form and returns that form from then on', () =>
  withEmptyDatabase(async (url) => {
    await applyMigrations(url);
    expect(await bindContractForm(url, 'A')).toBe('A');
    expect(await bindContractForm(url, 'A')).toBe('A');
    expect(await bindContractForm(url, 'B')).toBe('A');
    expect(await query(url, 'SELECT id, contract_form FROM deployment')).toEqual([{ id: 1, contract_form: 'A' }]);
  }));

it('two deployments of different forms that start at once agree', () =>
  withEmptyDatabase(async (url) => {
    await applyMigrations(url);
    const forms = await Promise.all(['A', 'B', 'A', 'B', 'A', 'B'].map((form) => bindContractForm(url, form)));
    expect(new Set(forms).size).toBe(1);
    expect(await query(url, 'SELECT contract_form FROM deployment')).toEqual([{ contract_form: forms[0] }]);
  }));
