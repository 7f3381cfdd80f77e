// Writes `src/generated/option-table.ts` before each build: the options behind the flags, from the schemas of the server's
// validation, so that `--help` needs no server and the package no schemas.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allCaptureKinds } from '@capture/contract/options/capture-options';
import { z } from 'zod';

/** Options without a flag. The URL is an argument, and `--json` chooses between file and record. */
const notFlags = new Set(['url', 'async', 'response_type']);

/** Describes every API option with a flag, from the schemas of the server. Equal options of several kinds are merged. */
function describeOptions() {
  const options = new Map();
  for (const { type, request } of allCaptureKinds) {
    const { properties = {} } = z.toJSONSchema(request.in, { io: 'input', unrepresentable: 'any' });
    for (const [name, schema] of Object.entries(properties)) {
      if (notFlags.has(name)) continue;
      const option = describe(name, schema);
      const identity = JSON.stringify(option);
      const existing = options.get(identity);
      if (existing) existing.kinds.push(type);
      else options.set(identity, { ...option, kinds: [type] });
    }
  }
  return [...options.values()];
}

function describe(name, schema) {
  const branches = branchesOf(schema);
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

/** Returns the alternatives of a value, including those of nested alternatives. */
function branchesOf(schema) {
  return schema.anyOf?.flatMap(branchesOf) ?? [schema];
}

function formOf(branches) {
  if (branches.some(isArray)) return branches.some((branch) => branch.items?.type === 'object') ? 'json' : 'list';
  if (branches.some((branch) => branch.type === 'object')) return 'json';
  if (branches.some((branch) => branch.type === 'string')) return 'text';
  return branches[0]?.type === 'boolean' ? 'boolean' : 'number';
}

function isArray(schema) {
  return schema.type === 'array';
}

function choicesOf(schema) {
  // For objects of several kinds, the kind is enough.
  const objects = (schema?.oneOf ?? schema?.anyOf ?? []).map((each) => each.properties?.kind?.const);
  if (objects.length > 0 && objects.every((kind) => typeof kind === 'string')) return objects;
  return Array.isArray(schema?.enum) ? schema.enum.map(String) : undefined;
}

function isEmptyList(value) {
  return Array.isArray(value) && value.length === 0;
}

const folder = path.join(import.meta.dirname, '../src/generated');
mkdirSync(folder, { recursive: true });
writeFileSync(
  path.join(folder, 'option-table.ts'),
  `import type { CaptureOption } from '../options/capture-option.ts';

/** Every API option with a flag. */
export const optionTable: readonly CaptureOption[] = ${JSON.stringify(describeOptions(), null, 2)};
`,
);
