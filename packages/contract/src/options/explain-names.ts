import { z } from 'zod';
import { didYouMean } from '../did-you-mean.ts';
import type { ErrorDetail } from '../errors.ts';
import { allCaptureKinds, type CaptureKind } from './capture-options.ts';
import { objectsOf, plainTypes } from './plain-types.ts';

/** More than any option's name, characters. */
const longestName = 100;

/** So few names are listed where one of them was probably meant. */
const fewNames = 6;

/** A key, secret or credential in the place of a name; what follows these words is not repeated. */
const secretLook = /(cap_[a-z]+_|whsec_|bearer |basic ).*/is;

/** A request, what it asks for (`a screenshot`), and its schema. */
export interface Source {
  given: unknown;
  kind: string;
  schema: z.core.$ZodType;
}

/**
 * Names that a schema does not know: where they belong, or what was probably meant.
 *
 * @param explained a body may have a hundred thousand such names: the others only count.
 */
export function explainNames(
  { keys, path }: z.core.$ZodIssueUnrecognizedKeys,
  field: string,
  source: Source,
  explained: number,
): ErrorDetail[] {
  const messageOf = explainName(path, source);
  return keys.map((key, index) => ({
    field: `${field && `${field}.`}${shortened(key)}`,
    message: index < explained ? messageOf(key) : 'is not known',
  }));
}

function explainName(path: readonly PropertyKey[], { given, kind, schema }: Source): (name: string) => string {
  const known = namesAt(schema, path);
  if (path.length > 0) {
    const all = known.length > 0 && known.length <= fewNames ? `; use ${known.join(', ')}` : '';
    // Of a list whose entries have kinds.
    return (name) =>
      known.includes(name) ? 'is an option of other kinds' : `is not known here${didYouMean(name, known) || all}`;
  }
  // What is left of a URL that was not encoded looks like options.
  const url = (given as { url?: unknown } | null)?.url;
  const hint = typeof url === 'string' && url.includes('?') ? ' (an & or # inside a URL must be percent-encoded)' : '';
  return (name) => `is not an option of ${kind}${otherKindsOf(name, kind) || didYouMean(name, known) || hint}`;
}

/** Where an option of a capture belongs instead: `, but of a PDF`. */
function otherKindsOf(name: string, kind: string): string {
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

/** A name that the client made up is repeated, but not at any length. */
export function shortened(name: string): string {
  const shown = secretLook.test(name) ? name.replace(secretLook, '$1…') : name;
  return shown.length > longestName ? `${shown.slice(0, longestName)}…` : shown;
}
