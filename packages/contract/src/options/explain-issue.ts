import { z } from 'zod';
import { didYouMean } from '../did-you-mean.ts';
import type { ErrorDetail } from '../errors.ts';
import { explainNames, type Source, shortened } from './explain-names.ts';
import { objectsOf } from './plain-types.ts';
import { secretOptionNames } from './secret-options.ts';

/** The longest value that a message repeats, characters. */
const longestValue = 40;

/** The longest example in a message, characters of JSON. */
const longestExample = 120;

/** The fields whose values are never repeated. */
const secretNames: ReadonlySet<string> = new Set([
  ...secretOptionNames,
  'secret',
  'api_key',
  'webhook_url',
  'operator_key',
  'link_token',
]);

/** Explains the first `explained` issues of a schema in words, and only counts the rest. */
export function explainIssues(issues: readonly z.core.$ZodIssue[], source: Source, explained: number): ErrorDetail[] {
  let left = explained;
  return issues.flatMap((issue) => {
    const faults = explainIssue(issue, source, left);
    left = Math.max(0, left - faults.length);
    return faults;
  });
}

/** Explains an issue in words that follow the field's name: `width must be at least 16`. */
function explainIssue(issue: z.core.$ZodIssue, source: Source, explained: number): ErrorDetail[] {
  const { path } = issue;
  const field = path.map((part) => shortened(String(part))).join('.');
  if (issue.code === 'unrecognized_keys') return explainNames(issue, field, source, explained);
  if (explained === 0) return [{ field, message: 'is not valid' }];
  if (path.length === 0 && issue.code === 'invalid_type') return [{ field, message: 'the body must be a JSON object' }];
  const value = valueAt(source.given, path);
  switch (issue.code) {
    case 'invalid_type': {
      const isShown = isPlain(issue.expected) || typeof value !== 'string';
      const isBroken = typeof value === 'string' && /^\s*[{[]/.test(value);
      return [
        {
          field,
          message: `${typeFault(issue)}${isBroken ? ', and this is not valid JSON' : ''}`,
          ...(isShown && shownValue(path, value)),
          ...(issue.expected !== 'boolean' && shownExample(source, path)),
        },
      ];
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      const allowed = `${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;
      if (value === undefined) return [{ field, message: `is required: ${allowed}` }];
      const hint = typeof value === 'string' ? didYouMean(value, values) : '';
      return [{ field, message: `must be ${allowed}${hint}`, ...shownValue(path, value) }];
    }
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return [{ field, message: 'must not be empty' }];
      return [{ field, message: boundFault('at least', issue.minimum, issue.origin), ...shownNumber(path, value) }];
    case 'too_big':
      return [{ field, message: boundFault('at most', issue.maximum, issue.origin), ...shownNumber(path, value) }];
    case 'invalid_key':
      return [{ field, message: 'is not a valid name here' }];
    default: {
      // A fault of two options together shows no value; only these messages are about a single value.
      const ofValue = /^(must|is not a) /.test(issue.message);
      return [{ field, message: issue.message, ...(ofValue && shownValue(path, value)) }];
    }
  }
}

const isPlain = (expected: string) => expected === 'int' || expected === 'number' || expected === 'boolean';

/** Whether a value may be a secret: by its name, or as a URL with a password. */
function isSecret(path: readonly PropertyKey[], value: unknown): boolean {
  return path.some((part) => secretNames.has(String(part))) || (typeof value === 'string' && /@|%40/.test(value));
}

/** Returns the given value if it is short, plain and not secret. A long or nested value may contain a secret. */
function shownValue(path: readonly PropertyKey[], value: unknown): Pick<ErrorDetail, 'value'> {
  const isShort = typeof value === 'string' && value.length <= longestValue;
  return (isShort || typeof value === 'boolean') && !isSecret(path, value) ? { value } : shownNumber(path, value);
}

function shownNumber(path: readonly PropertyKey[], value: unknown): Pick<ErrorDetail, 'value'> {
  // JSON can contain numbers such as 1e999 that JavaScript reads as infinite and cannot write back.
  return typeof value === 'number' && Number.isFinite(value) && !isSecret(path, value) ? { value } : {};
}

/** Returns the documented example of a field, or of a part of the field. */
function shownExample({ schema }: Source, [name, ...rest]: readonly PropertyKey[]): Pick<ErrorDetail, 'example'> {
  const shape = objectsOf(schema)[0]?.shape ?? {};
  const field = Object.hasOwn(shape, String(name)) ? shape[String(name)] : undefined;
  if (!field) return {};
  // The first entry of a list is an example for each entry.
  const example = valueAt(
    z.globalRegistry.get(field)?.example,
    rest.map((part) => (typeof part === 'number' ? 0 : part)),
  );
  return example === undefined || JSON.stringify(example).length > longestExample ? {} : { example };
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  // A client may name a field `constructor`.
  const at = (value: unknown, part: PropertyKey) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, part)
      ? (value as Record<PropertyKey, unknown>)[part]
      : undefined;
  return path.reduce(at, given);
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

function boundFault(bound: string, limit: number | bigint, origin: string): string {
  if (origin === 'array') return `must have ${bound} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  return `must be ${bound} ${limit}${origin === 'string' ? ' characters' : ''}`;
}
