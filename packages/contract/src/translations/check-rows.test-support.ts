import { expect, it } from '@jest/globals';
import { captureKinds } from '../options/capture-options.ts';
import type { Service } from './service.ts';
import type { Options } from './table.ts';
import type { Translation } from './translate.ts';

/** A value, the expected options, and other options of the request. */
export type Example = [value: unknown, options: Options, more?: Options];

/** The faults that the platform's validation finds in a translated request. */
export function faultsOf({ type, options }: Translation): string[] {
  const result = captureKinds[type].request.safeParse(options);
  return result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

/**
 * Tests every row of a service's table. Rows with a counterpart have examples, whose result must pass the platform's validation;
 * other rows must be reported.
 */
export function testRows(
  { table }: Service,
  examples: Readonly<Record<string, readonly Example[]>>,
  translateRequest: (given: Options) => Translation,
): void {
  const rows = Object.entries(table);
  const urlName = rows.find(([, row]) => 'ours' in row && row.ours === 'url')?.[0] ?? 'url';
  const page = { [urlName]: 'https://example.com/' };

  it('has examples for exactly the rows with a counterpart', () => {
    const withCounterpart = rows.filter(([, row]) => 'ours' in row).map(([name]) => name);
    expect(Object.keys(examples).sort()).toEqual(withCounterpart.sort());
  });

  it.each(Object.entries(examples).flatMap(([name, all]) => all.map((example) => [name, ...example] as const)))(
    '%s: %j',
    (name, value, expected, more = {}) => {
      const request = { ...(name !== 'html' && name !== 'index.html' && page), ...more, [name]: value };
      const translated = translateRequest(request);
      expect(translated.unsupported).toEqual([]);
      expect(translated.options).toMatchObject(expected);
      expect(faultsOf(translated)).toEqual([]);
    },
  );

  it('names existing options', () => {
    const ours = new Set(Object.values(captureKinds).flatMap(({ request }) => Object.keys(request.in.shape)));
    const named = rows.flatMap(([, row]) => ('ours' in row ? row.ours.split(', ') : []));
    expect(named.filter((name) => !ours.has(name))).toEqual([]);
  });

  it('reports options without a counterpart and keeps the others', () => {
    const { options } = translateRequest(page);
    for (const [name, row] of rows) {
      if ('ours' in row) continue;
      const translated = translateRequest({ ...page, [name]: 'x' });
      expect(translated.options).toEqual(options);
      expect(translated.unsupported).toEqual([{ name, why: row.why, harmless: row.harmless }]);
      expect(row.why).toMatch(/^[^A-Z.]|^PDFs/);
    }
  });

  it('reports unknown names and invalid values', () => {
    expect(translateRequest({ ...page, no_such_name: 1 }).unsupported).toEqual([
      { name: 'no_such_name', why: expect.stringMatching(/^is not a known option of/) },
    ]);
    for (const [name, row] of rows) {
      if (!('ours' in row) || name === urlName) continue;
      const translated = translateRequest({ ...page, [name]: { not: 'a value' } });
      expect(faultsOf(translated)).toEqual([]);
    }
  });
}
