import type { z } from 'zod';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/** Example values by field name, for schemas without an example. A value is null only where the field may be null. */
const values: Readonly<Record<string, unknown>> = {
  account_id: 'acc_01kaek2v2gf3d9w8q0x5m7r4tz',
  apiKey: 'cap_live_7Yb2…',
  attempt_count: 1,
  bytes: 248_112,
  captures: 214,
  completed: 42,
  disabled_reason: null,
  duration_ms: 1_840,
  email: 'ada@example.com',
  error: null,
  error_code: null,
  error_message: null,
  eta_ms: 900,
  event_id: 'evt_01kaek2v2gf3d9w8q0x5m7r4tz',
  expires_at: '2026-11-27T10:00:00.000Z',
  failing_since: null,
  file_size: 184_213,
  final_url: 'https://example.com/',
  format: 'png',
  height: 720,
  host: 'worker-1',
  http_status: 200,
  last_error: null,
  last_four: 'x7Qd',
  last_status: 200,
  latency_ms: 84,
  limit: 200,
  metadata: null,
  month: '2026-11',
  name: 'CI',
  next_attempt_at: null,
  next_cursor: null,
  options: { url: 'https://example.com/' },
  pid: 4_711,
  plan: 'free',
  prefix: 'cap_live',
  quality: null,
  receipt: null,
  request_id: 'req_01kaek2v2gf3d9w8q0x5m7r4tz',
  batch_id: null,
  response_excerpt: 'ok',
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  status_url: 'https://captures.example.com/api/v1/captures/req_01kaek2v2gf3d9w8q0x5m7r4tz',
  title: 'Example Domain',
  total: 2,
  url: 'https://example.com/',
  used: 42,
  version: '0.1.0',
  webhook_id: 'wh_01kaek2v2gf3d9w8q0x5m7r4tz',
  width: 1_280,
};

/** Where a field has several possible values, its example is the value of a success. */
const preferred: ReadonlySet<unknown> = new Set(['completed', 'delivered', 'active', 'ok', 'running']);

/** Builds an example of a response from the examples, values and ranges of its schema. */
export function exampleOf(schema: z.ZodType): unknown {
  return sampleOf(jsonSchema(schema, 'output', () => undefined));
}

function sampleOf(schema: JsonSchema, name = ''): unknown {
  const examples = schema.examples as unknown[] | undefined;
  const branches = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  const types = [schema.type].flat();
  const mayBeNull = types.includes('null') || branches?.some(({ type }) => type === 'null') === true;
  if (Object.hasOwn(values, name) && values[name] === null && mayBeNull) return null;
  if (examples) return examples[0];
  if (schema.const !== undefined) return schema.const;
  const choices = schema.enum as unknown[] | undefined;
  if (choices) return choices.find((choice) => preferred.has(choice)) ?? choices[0];
  if (Object.hasOwn(values, name) && values[name] !== null && fits(values[name], types, branches)) return values[name];
  if (branches) return sampleOf(branches.find(({ type }) => type !== 'null') ?? {}, name);
  return sampleOfType(schema, types[0], name);
}

function fits(value: unknown, types: unknown[], branches: JsonSchema[] = []): boolean {
  const type = Number.isInteger(value) ? 'integer' : typeof value;
  const all = [...types, ...branches.map((branch) => branch.type)];
  return all.includes(type) || (type === 'integer' && all.includes('number'));
}

function sampleOfType(schema: JsonSchema, type: unknown, name: string): unknown {
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([key, one]) => [
          key,
          sampleOf(one, key),
        ]),
      );
    case 'array':
      return [sampleOf(schema.items as JsonSchema, name)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return name === 'delivered';
    default:
      return schema.format === 'date-time' ? '2026-11-20T10:00:00.000Z' : name;
  }
}
