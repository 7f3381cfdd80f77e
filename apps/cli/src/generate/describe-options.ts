import { allCaptureKinds } from '@capture/contract/options/capture-options';
import { z } from 'zod';
import type { CaptureOption, Kind } from '../options/capture-option.ts';

type JsonSchema = Record<string, unknown> & { anyOf?: JsonSchema[]; items?: JsonSchema };

/**
 * Options without a flag: the URL is an argument, and `--json` chooses between file and record.
 */
const notFlags: ReadonlySet<string> = new Set(['url', 'async', 'response_type']);

/**
 * Every API option with a flag, from the schemas of the server's validation. Equal options of several kinds are merged.
 */
export function describeOptions(): CaptureOption[] {
  const options = new Map<string, CaptureOption & { kinds: Kind[] }>();
  for (const { type, request } of allCaptureKinds) {
    const { properties = {} } = z.toJSONSchema(request.in, { io: 'input', unrepresentable: 'any' });
    for (const [name, schema] of Object.entries(properties)) {
      if (notFlags.has(name)) continue;
      const option = describe(name, schema as JsonSchema);
      const identity = JSON.stringify(option);
      const existing = options.get(identity);
      if (existing) existing.kinds.push(type);
      else options.set(identity, { ...option, kinds: [type] });
    }
  }
  return [...options.values()];
}

function describe(name: string, schema: JsonSchema): Omit<CaptureOption, 'kinds'> {
  const branches = schema.anyOf ?? [schema];
  const form = formOf(branches);
  const choices = choicesOf(form === 'list' ? branches.find(isArray)?.items : branches[0]);
  const { description, default: value } = schema;
  return {
    name,
    form,
    description: String(description ?? ''),
    ...(choices && { choices }),
    ...(value !== undefined &&
      !isEmptyList(value) && { default: typeof value === 'string' ? value : JSON.stringify(value) }),
    ...(form === 'json' && branches.some((branch) => branch.type === 'string') && { orText: true }),
  };
}

function formOf(branches: readonly JsonSchema[]): CaptureOption['form'] {
  if (branches.some(isArray)) return branches.some((branch) => branch.items?.type === 'object') ? 'json' : 'list';
  if (branches.some((branch) => branch.type === 'object')) return 'json';
  if (branches.some((branch) => branch.type === 'string')) return 'text';
  return branches[0]?.type === 'boolean' ? 'boolean' : 'number';
}

function isArray(schema: JsonSchema): boolean {
  return schema.type === 'array';
}

function choicesOf(schema: JsonSchema | undefined): string[] | undefined {
  return Array.isArray(schema?.enum) ? schema.enum.map(String) : undefined;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
