import { z } from 'zod';
import { type ErrorDetail, invalidRequest, maxDetails } from '../errors.ts';
import { explainIssues } from './explain-issue.ts';
import { plainTypes } from './plain-types.ts';

/**
 * Checks a JSON body, or what `decodeQuery` made of a query, against a request's schema.
 *
 * @param kind what the request asks for, as it stands in a message: `a screenshot`.
 * @param placeOf where a client finds a field at fault, if not in the request itself.
 * @throws {ApiError} `INVALID_REQUEST` whose details name every field at fault.
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

/** Far more names than any object in a request has. Looking at each of hundreds of thousands would hold up other clients. */
const maxNames = 1_000;

/**
 * Counts the names of a request, and of the objects in it, before anything looks at them.
 *
 * @throws {ApiError} `INVALID_REQUEST`
 */
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
 * Every fault of what a client gave, by field: what its schema found, or texts that cannot be stored.
 *
 * @param explained how many of them need an explanation, because a response lists them.
 */
export function requestFaults(
  result: z.ZodSafeParseResult<unknown>,
  given: unknown,
  kind: string,
  schema: z.ZodType,
  explained = maxDetails,
): ErrorDetail[] {
  if (!result.success) return explainIssues(result.error.issues, { given, kind, schema }, explained);
  // Only what fits the schema is looked through: its depth is the schema's, not whatever a client sends.
  return textFaults(given, []);
}

/**
 * Gives the texts of a query the types of their options: numbers, `true` and `false` (or `1` and `0`), JSON for objects and arrays, and
 * comma-separated text for arrays of plain values. What does not fit stays text, so that the schema names the fault.
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

/** What JSON's arrays and objects begin with; `[hidden]` and `[data-ad]` are CSS selectors. */
const jsonArray = /^\s*\[\s*(?:["[{\]\d-]|$)/;
const jsonObject = /^\s*\{/;

function decodeText(text: string, field: z.core.$ZodType): unknown {
  const types = plainTypes(field);
  const has = (kind: abstract new (...args: never[]) => z.core.$ZodType) => types.some((type) => type instanceof kind);
  const array = types.find((type) => type instanceof z.ZodArray);
  if (array && jsonArray.test(text)) return parseJson(text);
  if ((has(z.ZodObject) || has(z.ZodRecord)) && jsonObject.test(text)) return parseJson(text);
  // Where one text is meant as well, it is that.
  if (array && !has(z.ZodString)) return splitAtCommas(text).map((part) => decodeText(part.trim(), array.element));
  if (has(z.ZodNumber) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (has(z.ZodBoolean) && /^(true|false|1|0)$/.test(text)) return text === 'true' || text === '1';
  return text;
}

/** Parts between commas, but not those inside of brackets or quotes: `:is(.a, .b),[title="a,b"]` are two selectors. */
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

/** NUL and halves of surrogate pairs: JSON can spell them, but Postgres can store neither, nor UTF-8 the halves. */
const unstorable = /[\0\p{Surrogate}]/u;

function textFaults(given: unknown, path: readonly string[]): ErrorDetail[] {
  if (typeof given === 'string' && unstorable.test(given)) {
    return [{ field: path.join('.'), message: 'must not have NUL or half a surrogate pair in it' }];
  }
  if (typeof given !== 'object' || given === null) return [];
  // Records lack what JavaScript treats as no property.
  if (Object.hasOwn(given, '__proto__'))
    return [{ field: path.join('.'), message: 'must not have the name __proto__' }];
  return Object.entries(given).flatMap(([name, value]) => [
    ...textFaults(name, [...path, name]),
    ...textFaults(value, [...path, name]),
  ]);
}
