import { z } from 'zod';
import { type ErrorDetail, invalidRequest } from './errors.ts';

/** More than any option's name, characters. */
const longestName = 100;

/**
 * Checks a JSON body, or what `decodeQuery` made of a query, against a request's schema.
 *
 * @param kind what the request asks for, as it stands in a message: `a screenshot`.
 * @throws {ApiError} `INVALID_REQUEST` whose details name every field at fault.
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, given: unknown, kind: string): z.output<Schema> {
  const result = schema.safeParse(given);
  const faults = requestFaults(result, given, kind);
  if (!result.success || faults.length > 0) throw invalidRequest(faults);
  return result.data;
}

/** Every fault of what a client gave, by field: what its schema found, or texts that cannot be stored. */
export function requestFaults(result: z.ZodSafeParseResult<unknown>, given: unknown, kind: string): ErrorDetail[] {
  if (!result.success) return result.error.issues.flatMap((issue) => detailsOf(issue, kind));
  // Only what fits the schema is looked through: its depth is the schema's, not whatever a client sends.
  return textFaults(given, []);
}

/**
 * Gives the texts of a query the types of their options: numbers, `true` and `false`, JSON for objects and arrays, and
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

function decodeText(text: string, field: z.core.$ZodType): unknown {
  const type = innerType(field);
  if (type instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  if (type instanceof z.ZodArray && !text.trimStart().startsWith('['))
    return text.split(',').map((part) => part.trim());
  if (type instanceof z.ZodArray || type instanceof z.ZodObject || type instanceof z.ZodRecord) return parseJson(text);
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function innerType(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodDefault || field instanceof z.ZodOptional || field instanceof z.ZodNullable
    ? innerType(field.unwrap())
    : field;
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

/** A schema's issue in words that follow the field's name: `width must be at least 16`. */
function detailsOf(issue: z.core.$ZodIssue, kind: string): ErrorDetail[] {
  const field = issue.path.join('.');
  if (issue.path.length === 0 && issue.code === 'invalid_type') {
    return [{ field, message: 'the body must be a JSON object' }];
  }
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        field: [...issue.path, shortened(key)].join('.'),
        message: `is not an option of ${kind} (an & or # inside a URL must be percent-encoded)`,
      }));
    case 'invalid_type':
      return [{ field, message: typeFault(issue) }];
    case 'invalid_value':
      return [{ field, message: `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}` }];
    case 'too_small':
      return [{ field, message: `must be at least ${issue.minimum}${unitOf(issue.origin)}` }];
    case 'too_big':
      return [{ field, message: `must be at most ${issue.maximum}${unitOf(issue.origin)}` }];
    default:
      return [{ field, message: issue.message }];
  }
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
