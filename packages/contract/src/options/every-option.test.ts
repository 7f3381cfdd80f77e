import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../errors.ts';
import { parseBatch } from './batch-request.ts';
import { allCaptureKinds, type CaptureKind } from './capture-options.ts';
import { decodeCaptureQuery } from './capture-query.ts';
import {
  contentCases,
  type OptionCase,
  ogImageCases,
  pageCases,
  pdfCases,
  respondingCases,
  screenshotCases,
  viewportCases,
} from './options.test-support.ts';
import { parseRequest } from './parse-request.ts';

const ofKind: Record<string, Record<string, OptionCase>> = {
  screenshot: { ...pageCases, ...viewportCases, ...screenshotCases },
  pdf: { ...pageCases, ...viewportCases, ...pdfCases },
  og_image: { ...pageCases, ...ogImageCases },
  content: { ...pageCases, ...viewportCases, ...contentCases },
};

function faultsOf(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'INVALID_REQUEST') throw error;
    return (error.details ?? []).map(({ field, message }) => `${field} ${message}`);
  }
}

/** Returns the spellings of a value in a query: JSON for objects and arrays, also commas for arrays of plain values. */
function spellingsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  const json = JSON.stringify(value);
  const isPlain = Array.isArray(value) && value.length > 0 && value.every((part) => typeof part !== 'object');
  return isPlain ? [json, value.join(', ')] : [json];
}

const url = 'https://example.com/';

function requestOf(...options: (Record<string, unknown> | undefined)[]): Record<string, unknown> {
  const merged: Record<string, unknown> = Object.assign({ url }, ...options);
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

const parse = (kind: CaptureKind, given: unknown) => parseRequest(kind.request, given, kind.name);

describe.each(allCaptureKinds.map((kind) => [kind.type, kind] as const))('%s', (type, kind) => {
  const cases = ofKind[type] ?? {};

  it('has a test case for exactly its options', () => {
    const names = [...Object.keys(cases), ...Object.keys(respondingCases), 'url'];
    expect(Object.keys(kind.request.in.shape).sort()).toEqual(names.sort());
    expect(Object.keys(kind.item.in.shape).sort()).toEqual([...Object.keys(cases), 'url'].sort());
  });

  it('documents each option with a valid example', () => {
    for (const [name, field] of Object.entries(kind.request.in.shape)) {
      const { description, example } = (field as { meta(): Record<string, unknown> }).meta();
      expect({ name, description }).toEqual({ name, description: expect.stringMatching(/.{10}\.$/s) });
      const others = { ...cases[name]?.with, ...(name === 'html' && { url: undefined }) };
      expect({ name, faults: faultsOf(() => parse(kind, requestOf(others, { [name]: example }))) }).toEqual({
        name,
        faults: [],
      });
    }
  });

  describe.each(Object.entries({ ...cases, ...respondingCases }))('%s', (name, { with: others, taken, refused }) => {
    const given = (value: unknown) => requestOf(others, { [name]: value });
    const inBatch = name in respondingCases ? null : (value: unknown) => ({ type, items: [given(value)] });

    it('is accepted in a body, a query and an item of a batch, with the same meaning', () => {
      for (const value of taken) {
        const parsed = parse(kind, given(value));
        if (inBatch) expect(parsed).toMatchObject(parseBatch(inBatch(value), 1).items[0]?.filled ?? {});
        if (name === 'html') continue;
        for (const text of spellingsOf(value)) {
          // In a query a text is a single selector including its commas, as it is in JSON.
          if (name === 'click' && Array.isArray(value) && !text.startsWith('[')) continue;
          const query = new URLSearchParams({ ...(given('') as Record<string, string>), [name]: text });
          expect(parse(kind, decodeCaptureQuery(kind, query))).toEqual(parsed);
        }
      }
    });

    it('is refused in a body, a query and an item, with its name', () => {
      for (const [value, fault] of refused) {
        expect(faultsOf(() => parse(kind, given(value)))).toContainEqual(beginningWith(fault));
        // A null unsets a default.
        if (inBatch && value !== null) {
          expect(faultsOf(() => parseBatch(inBatch(value), 1))).toContainEqual(beginningWith(`items.0.${fault}`));
        }
        for (const text of spellingsOf(value)) {
          const query = new URLSearchParams({ ...(given('') as Record<string, string>), [name]: text });
          if (name === 'html' || !sameJson(decodeCaptureQuery(kind, query)[name], value)) continue;
          expect(faultsOf(() => parse(kind, decodeCaptureQuery(kind, query)))).toContainEqual(beginningWith(fault));
        }
      }
    });
  });

  it('has no option of another kind', () => {
    const others = new Set(Object.values(ofKind).flatMap((of) => Object.keys(of)));
    const foreign = [...others].filter((name) => !(name in cases));
    expect(foreign.length).toBeGreaterThan(3);
    for (const name of foreign) {
      const fault = `${name} is not an option of ${kind.name}`;
      expect(faultsOf(() => parse(kind, requestOf({ [name]: 'x' })))).toEqual([beginningWith(fault)]);
      expect(faultsOf(() => parse(kind, decodeCaptureQuery(kind, new URLSearchParams({ url, [name]: 'x' }))))).toEqual([
        beginningWith(fault),
      ]);
      expect(faultsOf(() => parseBatch({ type, items: [{ url }], options: { [name]: 'x' } }, 1))).toEqual([
        beginningWith(`options.${fault}`),
      ]);
    }
  });
});

/** A suggestion may follow the fault. */
function beginningWith(fault: string) {
  return expect.stringMatching(new RegExp(`^${fault.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(;|,| \\(|$)`));
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
