import { account, accountRow, issuedKey, keyRow } from '@capture/contract/api/account-responses';
import { batchBody, batchItemSchemas } from '@capture/contract/api/batch-requests';
import { presetRecord } from '@capture/contract/api/preset-requests';
import { receipt } from '@capture/contract/api/receipt';
import {
  acceptance,
  batchRecord,
  batchResult,
  batchWithResults,
  captureRecord,
  errorBody,
} from '@capture/contract/api/responses';
import { captureKinds } from '@capture/contract/options/capture-options';
import { quality } from '@capture/contract/quality';
import type { z } from 'zod';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

interface Component {
  schema: z.ZodType;
  io: 'input' | 'output';
  /** Whether these are options of a batch's item, where `null` unsets the batch's option. */
  unsettable?: true;
}

const request = (schema: z.ZodType): Component => ({ schema, io: 'input' });
const item = (schema: z.ZodType): Component => ({ schema, io: 'input', unsettable: true });
const response = (schema: z.ZodType): Component => ({ schema, io: 'output' });

/** The schemas with a name in the document: schemas that are used more than once, or that generated clients name. */
const components: Readonly<Record<string, Component>> = {
  ScreenshotRequest: request(captureKinds.screenshot.request.in),
  PdfRequest: request(captureKinds.pdf.request.in),
  OgImageRequest: request(captureKinds.og_image.request.in),
  ContentRequest: request(captureKinds.content.request.in),
  BatchRequest: request(batchBody),
  ScreenshotItem: item(batchItemSchemas.screenshot),
  PdfItem: item(batchItemSchemas.pdf),
  OgImageItem: item(batchItemSchemas.og_image),
  ContentItem: item(batchItemSchemas.content),
  CaptureRecord: response(captureRecord),
  Receipt: response(receipt),
  Quality: response(quality),
  Acceptance: response(acceptance),
  Batch: response(batchRecord),
  BatchResult: response(batchResult),
  BatchWithResults: response(batchWithResults),
  Preset: response(presetRecord),
  Account: response(account),
  AccountRow: response(accountRow),
  Key: response(keyRow),
  IssuedKey: response(issuedKey),
  Error: response(errorBody),
};

const names = new Map<unknown, string>(Object.entries(components).map(([name, { schema }]) => [schema, name]));

export const nameOf = (schema: unknown): string | undefined => names.get(schema);

export function componentSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(components).map(([name, { schema, io, unsettable }]) => {
      const json = jsonSchema(schema, io, nameOf);
      if (unsettable) json.properties = withNull(json.properties as Record<string, JsonSchema>);
      return [name, { ...json, ...(pages.has(schema) && pageIsRequired) }];
    }),
  );
}

/** Fields that an item never inherits from its batch. */
const ownFields: ReadonlySet<string> = new Set(['url', 'type']);

function withNull(options: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      if (ownFields.has(name)) return [name, option];
      const { description, ...rest } = option;
      const branches = (rest.anyOf as JsonSchema[] | undefined) ?? [rest];
      return [name, { description, anyOf: [...branches, { type: 'null' }] }];
    }),
  );
}

const pages: ReadonlySet<z.ZodType> = new Set(Object.values(captureKinds).map(({ request }) => request.in));

/** A request outside a batch names its page itself. */
const pageIsRequired = { oneOf: [{ required: ['url'] }, { required: ['html'] }] };
