import type { OptionSchema } from '../api/service.ts';

/** The options that are set; the remaining options have their defaults. */
export type OptionValues = Readonly<Record<string, unknown>>;

export type Control =
  | 'switch'
  | 'choice'
  | 'number'
  | 'text'
  | 'code'
  | 'device'
  | 'timezone'
  | 'choices'
  | 'texts'
  | 'parts'
  | 'text or parts'
  | 'pairs'
  | 'outputs'
  | 'json';

/** Options with several lines of text. */
const multiline: ReadonlySet<string> = new Set(['html', 'css', 'js', 'header_html', 'footer_html']);

const hasType = (type: OptionSchema['type']) => (schema: OptionSchema) => schema.type === type;

/** Chooses the control for an option's schema; JSON for any other schema. */
export function controlOf(name: string, schema: OptionSchema): Control {
  if (name === 'device' || name === 'timezone') return name;
  if (schema.enum) return 'choice';
  switch (schema.type) {
    case 'boolean':
      return 'switch';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return multiline.has(name) ? 'code' : 'text';
    case 'array':
      return Object.keys(kindsOf(schema)).length > 0 ? 'outputs' : controlOfList(schema.items ?? {});
    case 'object':
      if (schema.properties && Object.values(schema.properties).every(isPlain)) return 'parts';
      return schema.additionalProperties ? 'pairs' : 'json';
  }
  const either = schema.anyOf ?? [];
  if (either.some(hasType('string')) && either.some(hasType('object'))) return 'text or parts';
  if (either.some(hasType('string')) && either.some(hasType('array'))) return 'texts';
  // A length is text with a unit, or 0.
  if (either.some(hasType('string')) && either.every(isPlain)) return 'text';
  return 'json';
}

const isPlain = ({ type }: OptionSchema) => type === 'string' || type === 'number' || type === 'integer';

function controlOfList(items: OptionSchema): Control {
  if (items.enum) return 'choices';
  const kinds = items.oneOf ?? items.anyOf ?? [items];
  return kinds.some(hasType('object')) ? 'json' : 'texts';
}

/** Returns the schema of each kind of entry, for a list of entries that have a `kind`. */
export function kindsOf({ items }: OptionSchema): Record<string, OptionSchema> {
  const kinds = (items?.oneOf ?? []).map((entry) => [entry.properties?.kind?.const, entry] as const);
  return Object.fromEntries(kinds.filter(([kind]) => kind !== undefined));
}

/** Returns the properties of an option: `top`, `right`, … */
export function partsOf(schema: OptionSchema): Record<string, OptionSchema> {
  return schema.properties ?? schema.anyOf?.find(hasType('object'))?.properties ?? {};
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOf = (value: unknown, fits: (entry: unknown) => boolean) => Array.isArray(value) && value.every(fits);
const isTextOrNumber = (value: unknown) => isText(value) || typeof value === 'number';

/** Whether a control can show a value, because a link may contain any. The service checks everything else. */
export function canShow(control: Control, value: unknown): boolean {
  switch (control) {
    case 'switch':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'choice':
    case 'text':
    case 'code':
    case 'device':
    case 'timezone':
      return isText(value);
    case 'choices':
      return isListOf(value, isText);
    case 'texts':
      return isText(value) || isListOf(value, isTextOrNumber);
    case 'parts':
      return isRecord(value) && Object.values(value).every(isTextOrNumber);
    case 'text or parts':
      return isText(value) || (isRecord(value) && Object.values(value).every(isText));
    case 'pairs':
      return isRecord(value) && Object.values(value).every(isText);
    case 'outputs':
      return isText(value) || isListOf(value, (entry) => isText(entry) || (isRecord(entry) && isText(entry.kind)));
    case 'json':
      return true;
  }
}
