import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { type ErrorDetail, invalidRequest } from '../errors.ts';

/** More than any option's name, characters. */
const longestName = 100;

/** A body may have a hundred thousand unknown names. */
const suggestedAtMost = 50;

/** The longest value that is repeated in a message, characters. */
const longestValue = 40;

/**
 * Checks a JSON body, or what `decodeQuery` made of a query, against a request's schema.
 *
 * @param kind what the request asks for, as it stands in a message: `a screenshot`.
 * @throws {ApiError} `INVALID_REQUEST` whose details name every field at fault.
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, given: unknown, kind: string): z.output<Schema> {
  const result = schema.safeParse(given);
  const faults = requestFaults(result, given, kind, schema);
  if (!result.success || faults.length > 0) throw invalidRequest(faults);
  return result.data;
}

/** Every fault of what a client gave, by field: what its schema found, or texts that cannot be stored. */
export function requestFaults(
  result: z.ZodSafeParseResult<unknown>,
  given: unknown,
  kind: string,
  schema: z.ZodType,
): ErrorDetail[] {
  if (!result.success) return result.error.issues.flatMap((issue) => detailsOf(issue, { given, kind, schema }));
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

/** The types that a field may have, without what says that it may be left out. */
function plainTypes(field: z.core.$ZodType): z.core.$ZodType[] {
  if (field instanceof z.ZodDefault || field instanceof z.ZodOptional || field instanceof z.ZodNullable) {
    return plainTypes(field.unwrap());
  }
  return field instanceof z.ZodUnion ? field.options.flatMap(plainTypes) : [field];
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
  return Object.entries(given).flatMap(([name, value]) => [
    ...textFaults(name, [...path, name]),
    ...textFaults(value, [...path, name]),
  ]);
}

interface Source {
  given: unknown;
  kind: string;
  schema: z.core.$ZodType;
}

/** A schema's issue in words that follow the field's name: `width must be at least 16`. */
function detailsOf(issue: z.core.$ZodIssue, { given, kind, schema }: Source): ErrorDetail[] {
  const field = issue.path.map((part) => shortened(String(part))).join('.');
  if (issue.path.length === 0 && issue.code === 'invalid_type') {
    return [{ field, message: 'the body must be a JSON object' }];
  }
  const value = valueAt(given, issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = namesAt(schema, issue.path);
      const fault = field === '' ? `is not an option of ${kind}` : 'is not known here';
      // What is left of a URL that was not encoded looks like options.
      const hint = field === '' ? ' (an & or # inside a URL must be percent-encoded)' : '';
      return issue.keys.map((key, index) => ({
        field: field === '' ? shortened(key) : `${field}.${shortened(key)}`,
        message: `${fault}${(index < suggestedAtMost && meant(key, known)) || hint}`,
      }));
    }
    case 'invalid_type':
      return [{ field, message: typeFault(issue), ...(isPlain(issue.expected) && shownValue(value)) }];
    case 'invalid_value': {
      const values = issue.values.map(String);
      const allowed = `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;
      const hint = typeof value === 'string' ? meant(value, values) : '';
      return [{ field, message: `${allowed}${hint}`, ...shownValue(value) }];
    }
    case 'too_small':
      return [{ field, message: `must be at least ${issue.minimum}${unitOf(issue.origin)}`, ...shownNumber(value) }];
    case 'too_big':
      return [{ field, message: `must be at most ${issue.maximum}${unitOf(issue.origin)}`, ...shownNumber(value) }];
    case 'invalid_key':
      return [{ field, message: 'is not a name that it may have' }];
    default:
      return [{ field, message: issue.message }];
  }
}

const isPlain = (expected: string) => expected === 'int' || expected === 'number' || expected === 'boolean';

/** What was given, if it is short and plain: what is long, or has parts, may have a secret in it. */
function shownValue(value: unknown): Pick<ErrorDetail, 'value'> {
  const isShort = typeof value === 'string' && value.length <= longestValue;
  return isShort || typeof value === 'boolean' ? { value } : shownNumber(value);
}

function shownNumber(value: unknown): Pick<ErrorDetail, 'value'> {
  // JSON has numbers beyond what a number holds, such as 1e999, but no way to write them back.
  return typeof value === 'number' && Number.isFinite(value) ? { value } : {};
}

/** The known name that a client probably meant, as a question. */
function meant(name: string, known: readonly string[]): string {
  if (known.length === 0 || name.length > longestValue) return '';
  const spelled = name.toLowerCase().replaceAll(/[\s-]/g, '_');
  const nearest = closest(spelled, known);
  const isNear =
    distance(spelled, nearest) <= Math.min(3, Math.ceil(nearest.length / 4)) || nearest.replaceAll('_', '') === spelled;
  return isNear ? `; did you mean ${nearest}?` : '';
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | undefined)?.[part], given);
}

/** The names that an object in a request may have. */
function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const [part, ...rest] = path;
  const plain = schema instanceof z.ZodPipe ? [schema.in] : plainTypes(schema);
  return plain.flatMap((type) => {
    if (type instanceof z.ZodArray) return part === undefined ? [] : namesAt(type.element, rest);
    if (!(type instanceof z.ZodObject)) return [];
    const field = part === undefined ? undefined : type.shape[String(part)];
    if (part === undefined) return Object.keys(type.shape);
    return field ? namesAt(field, rest) : [];
  });
}

/** A name that the client made up is repeated, but not at any length. */
function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}

function typeFault(issue: z.core.$ZodIssueInvalidType): string {
  if (issue.input === undefined && issue.message.endsWith('received undefined')) return 'is required';
  const expected: string = issue.expected;
  const names: Record<string, string> = {
    int: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    string: 'text',
    object: 'an object',
    array: 'an array',
    record: 'an object',
  };
  return `must be ${names[expected] ?? expected}`;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
