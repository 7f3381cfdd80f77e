import type { OptionSchema } from '../api/service.ts';
import { controlOf, type OptionValues } from './control.ts';

/** Finds the faults of the set options that their schemas show before a request is sent, by name. */
export function checkValues(
  options: Readonly<Record<string, OptionSchema>>,
  values: OptionValues,
): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const schema = options[name];
    const fault = schema && value !== undefined ? faultOf(name, schema, value) : undefined;
    if (fault !== undefined) faults[name] = fault;
  }
  return faults;
}

function faultOf(name: string, schema: OptionSchema, value: unknown): string | undefined {
  if (typeof value === 'number') return numberFault(schema, value);
  if (Array.isArray(value) && schema.maxItems !== undefined && value.length > schema.maxItems) {
    return `has ${value.length} entries; the limit is ${schema.maxItems}`;
  }
  // Text in such a control is JSON that could not be parsed.
  if (typeof value === 'string' && controlOf(name, schema) === 'json') return 'is not valid JSON';
  return undefined;
}

function numberFault({ type, minimum, maximum }: OptionSchema, value: number): string | undefined {
  if (type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
  const isOutside = (minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum);
  if (!isOutside) return undefined;
  if (minimum === undefined) return `must be at most ${maximum}`;
  return maximum === undefined ? `must be at least ${minimum}` : `must be between ${minimum} and ${maximum}`;
}
