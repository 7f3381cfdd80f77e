import { captureKinds } from '@capture/contract/options/capture-options';
import { expect, it } from '@jest/globals';
import type { Options } from './table.ts';
import type { Moved, Service } from './translate.ts';

/** A value of theirs, what it becomes here, and what else stands in the request if it matters. */
export type Example = [value: unknown, options: Options, more?: Options];

/** What the platform's own check says of a request that was translated: nothing, or each fault. */
export function faultsOf({ type, options }: Moved): string[] {
  const result = captureKinds[type].request.safeParse(options);
  return result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

/**
 * Tests every row of a service's table: each that has a counterpart by its examples, whose outcome must be accepted by
 * the platform's own check, each other one by being told.
 */
export function testRows(
  { table }: Service,
  examples: Readonly<Record<string, readonly Example[]>>,
  translateRequest: (given: Options) => Moved,
): void {
  const rows = Object.entries(table);
  const url = 'https://example.com/';

  it('has examples of every row with a counterpart, and of no other', () => {
    const withCounterpart = rows.filter(([, row]) => 'ours' in row).map(([name]) => name);
    expect(Object.keys(examples).sort()).toEqual(withCounterpart.sort());
  });

  it.each(Object.entries(examples).flatMap(([name, all]) => all.map((example) => [name, ...example] as const)))(
    '%s: %j',
    (name, value, expected, more = {}) => {
      const request = { ...(name !== 'html' && name !== 'index.html' && { url }), ...more, [name]: value };
      const moved = translateRequest(request);
      expect(moved.unsupported).toEqual([]);
      expect(moved.options).toMatchObject(expected);
      expect(faultsOf(moved)).toEqual([]);
    },
  );

  it('names options that there are', () => {
    const ours = new Set(Object.values(captureKinds).flatMap(({ request }) => Object.keys(request.in.shape)));
    const named = rows.flatMap(([, row]) => ('ours' in row ? row.ours.split(', ') : []));
    expect(named.filter((name) => !ours.has(name))).toEqual([]);
  });

  it('tells what has no counterpart, and leaves the rest as it is', () => {
    const { options } = translateRequest({ url });
    for (const [name, row] of rows) {
      if ('ours' in row) continue;
      const moved = translateRequest({ url, [name]: 'x' });
      expect(moved).toEqual({ type: moved.type, options, unsupported: [{ name, why: row.why }] });
      expect(row.why).toMatch(/^[^A-Z.]|^PDFs/);
    }
  });

  it('tells a name that it does not know, and a value that cannot be', () => {
    expect(translateRequest({ url, no_such_name: 1 }).unsupported).toEqual([
      { name: 'no_such_name', why: expect.stringMatching(/^is no option of/) },
    ]);
    for (const [name, row] of rows) {
      if (!('ours' in row) || name === 'url') continue;
      const moved = translateRequest({ url, [name]: { not: 'a value' } });
      expect(faultsOf(moved)).toEqual([]);
    }
  });
}
