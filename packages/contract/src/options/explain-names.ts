import { z } from 'zod';
import { didYouMean } from '../did-you-mean.ts';
import type { ErrorDetail } from '../errors.ts';
import { allCaptureKinds, type CaptureKind } from './capture-options.ts';
import { objectsOf, plainTypes } from './plain-types.ts';

/** No option's name has more characters. */
const longestName = 100;

/** An object with at most this many names lists them, because the client probably meant one of them. */
const fewNames = 6;

/** A key, secret or credential in place of a name. The text after these words is not repeated. */
const secretLook = /(cap_[a-z]+_|whsec_|bearer |basic ).*/is;

/** The request, its kind (`a screenshot`) and its schema. */
export interface Source {
  given: unknown;
  kind: string;
  schema: z.core.$ZodType;
}

/**
 * Explains names that a schema does not know: where they belong, or the name that was probably meant.
 *
 * @param explained the number of explained names; the rest only count, because a body may have a hundred thousand.
 */
export function explainNames(
  { keys, path }: z.core.$ZodIssueUnrecognizedKeys,
  field: string,
  source: Source,
  explained: number,
): ErrorDetail[] {
  const explain = explainName(path, source);
  return keys.map((key, index) => ({
    field: `${field && `${field}.`}${shortened(key)}`,
    message: index < explained ? explain(key) : 'is not known',
  }));
}

function explainName(path: readonly PropertyKey[], { given, kind, schema }: Source): (name: string) => string {
  const known = namesAt(schema, path);
  if (path.length > 0) {
    const all = known.length > 0 && known.length <= fewNames ? `; use ${known.join(', ')}` : '';
    // The object may be an entry of a list whose entries have kinds.
    return (name) =>
      known.includes(name) ? 'is an option of other kinds' : `is not known here${didYouMean(name, known) || all}`;
  }
  // The rest of a URL that was not percent-encoded looks like options.
  const url = (given as { url?: unknown } | null)?.url;
  const hint = typeof url === 'string' && url.includes('?') ? ' (an & or # inside a URL must be percent-encoded)' : '';
  return (name) => `is not an option of ${kind}${suggestOtherKinds(name, kind) || didYouMean(name, known) || hint}`;
}

/** Returns where an option of a capture belongs: `, but of a PDF`. */
function suggestOtherKinds(name: string, kind: string): string {
  const own = allCaptureKinds.find((each) => each.name === kind);
  if (!own) return '';
  const isOptionOf = (each: CaptureKind) => Object.hasOwn(each.request.in.shape, name);
  if (isOptionOf(own)) return ' in a batch';
  const others = allCaptureKinds.filter(isOptionOf);
  return others.length > 0 ? `, but of ${others.map((each) => each.name).join(' and ')}` : '';
}

/** The names that an object in a request may have. */
function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const [part, ...rest] = path;
  const arrays = plainTypes(schema).filter((type) => type instanceof z.ZodArray);
  if (arrays.length > 0) return part === undefined ? [] : arrays.flatMap((type) => namesAt(type.element, rest));
  return objectsOf(schema).flatMap(({ shape }) => {
    if (part === undefined) return Object.keys(shape);
    const field = shape[String(part)];
    return field ? namesAt(field, rest) : [];
  });
}

/** Repeats a name that the client made up, but not at any length. */
export function shortened(name: string): string {
  const shown = secretLook.test(name) ? name.replace(secretLook, '$1…') : name;
  return shown.length > longestName ? `${shown.slice(0, longestName)}…` : shown;
}
