import { z } from 'zod';
import { type ErrorDetail, invalidRequest, maxDetails } from '../errors.ts';
import { explainIssues } from './explain-issue.ts';
import { plainTypes } from './plain-types.ts';

/**
 * Checks a JSON body, or the result of `decodeQuery`, against a request's schema.
 *
 * @param kind the kind of the request, as a message names it: `a screenshot`.
 * @param placeOf returns where a client finds a faulty field, if it is not in the request itself.
 * @throws {ApiError} `INVALID_REQUEST` whose details name every faulty field.
 */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  kind: string,
  placeOf = (field: string) => field,
): z.output<Schema> {
  refuseCrowds(given);
  const result = schema.safeParse(given);
  const faults = requestFaults(result, given, kind, schema);
  if (!result.success || faults.length > 0) {
    throw invalidRequest(faults.map((fault) => ({ ...fault, field: placeOf(fault.field) })));
  }
  return result.data;
}

/** Far more names than any object in a request has. Checking hundreds of thousands of names would delay other clients. */
const maxNames = 1_000;

/** Counts the names of a request and of its objects before any other check. @throws {ApiError} `INVALID_REQUEST` */
export function refuseCrowds(given: unknown, field = ''): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
  const refuse = (at: string, subject: string) => {
    throw invalidRequest([
      { field: at, message: `${subject}must have at most ${maxNames.toLocaleString('en')} fields` },
    ]);
  };
  const names = Object.keys(given);
  if (names.length > maxNames) refuse(field, field === '' ? 'the body ' : '');
  for (const name of names) {
    const value: unknown = Reflect.get(given, name);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && Object.keys(value).length > maxNames) refuse(field === '' ? name : `${field}.${name}`, '');
  }
}

/**
 * Returns every fault of the given value, by field: the faults that its schema found, or texts that cannot be stored.
 *
 * @param explained the number of faults that need an explanation, because a response lists them.
 */
export function requestFaults(
  result: z.ZodSafeParseResult<unknown>,
  given: unknown,
  kind: string,
  schema: z.ZodType,
  explained = maxDetails,
): ErrorDetail[] {
  if (!result.success) return explainIssues(result.error.issues, { given, kind, schema }, explained);
  // The texts are checked only if the value fits the schema, which limits its depth.
  return textFaults(given, []);
}

/**
 * Converts the texts of a query to the types of their options: numbers, `true` and `false` (or `1` and `0`), JSON for objects and
 * arrays, and comma-separated text for arrays of plain values. A text that does not fit is kept, so that the schema names the
 * fault.
 *
 * @throws {ApiError} `INVALID_REQUEST` for an option that is given twice.
 */
export function decodeQuery(schema: z.ZodObject, query: URLSearchParams): Record<string, unknown> {
  const decoded: Record<string, unknown> = Object.create(null);
  const twice = new Set<string>();
  for (const [name, text] of query) {
    if (name in decoded) twice.add(name);
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    decoded[name] = field ? decodeText(text, field) : text;
  }
  if (twice.size > 0) throw invalidRequest([...twice].map((field) => ({ field, message: 'is given twice' })));
  return decoded;
}

/** The beginnings of JSON arrays and objects; `[hidden]` and `[data-ad]` are CSS selectors. */
const jsonArray = /^\s*\[\s*(?:["[{\]\d-]|$)/;
const jsonObject = /^\s*\{/;

function decodeText(text: string, field: z.core.$ZodType): unknown {
  const types = plainTypes(field);
  const has = (kind: abstract new (...args: never[]) => z.core.$ZodType) => types.some((type) => type instanceof kind);
  const array = types.find((type) => type instanceof z.ZodArray);
  if (array && jsonArray.test(text)) return parseJson(text);
  if ((has(z.ZodObject) || has(z.ZodRecord)) && jsonObject.test(text)) return parseJson(text);
  // If the option also accepts a single text, the text is not split.
  if (array && !has(z.ZodString)) return splitAtCommas(text).map((part) => decodeText(part.trim(), array.element));
  if (has(z.ZodNumber) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (has(z.ZodBoolean) && /^(true|false|1|0)$/.test(text)) return text === 'true' || text === '1';
  return text;
}

/** Splits a text at commas, except inside brackets or quotes: `:is(.a, .b),[title="a,b"]` are two selectors. */
function splitAtCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  let quote = '';
  for (const character of text) {
    if (character === ',' && depth === 0 && quote === '') {
      parts.push('');
      continue;
    }
    parts[parts.length - 1] += character;
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(' || character === '[') depth += 1;
    else if ((character === ')' || character === ']') && depth > 0) depth -= 1;
  }
  return parts;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** JSON can spell NUL and halves of surrogate pairs, but Postgres cannot store either, and UTF-8 cannot encode the halves. */
const unstorable = /[\0\p{Surrogate}]/u;

function textFaults(given: unknown, path: readonly string[]): ErrorDetail[] {
  if (typeof given === 'string' && unstorable.test(given)) {
    return [{ field: path.join('.'), message: 'must not contain NUL or half a surrogate pair' }];
  }
  if (typeof given !== 'object' || given === null) return [];
  // JavaScript does not treat this name as a property of a record.
  if (Object.hasOwn(given, '__proto__'))
    return [{ field: path.join('.'), message: 'must not have the name __proto__' }];
  return Object.entries(given).flatMap(([name, value]) => [
    ...textFaults(name, [...path, name]),
    ...textFaults(value, [...path, name]),
  ]);
}
