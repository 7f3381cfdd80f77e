import { account, accountRow, issuedKey, keyRow } from '@capture/contract/api/account-responses';
import { receiptResponse } from '@capture/contract/api/receipt-response';
import {
  acceptance,
  batchRecord,
  batchResult,
  batchWithResults,
  captureRecord,
  errorBody,
} from '@capture/contract/api/responses';
import { captureKinds } from '@capture/contract/options/capture-options';
import type { z } from 'zod';
import { batchBody, itemSchemas } from './batch-body.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

interface Component {
  schema: z.ZodType;
  io: 'input' | 'output';
  /** Options of a batch's item, of which a `null` unsets the batch's. */
  unsettable?: true;
}

const asked = (schema: z.ZodType): Component => ({ schema, io: 'input' });
const item = (schema: z.ZodType): Component => ({ schema, io: 'input', unsettable: true });
const answered = (schema: z.ZodType): Component => ({ schema, io: 'output' });

/** The schemas that have a name in the document: what is used more than once, or what a generated client names. */
const components: Readonly<Record<string, Component>> = {
  ScreenshotRequest: asked(captureKinds.screenshot.request.in),
  PdfRequest: asked(captureKinds.pdf.request.in),
  OgImageRequest: asked(captureKinds.og_image.request.in),
  BatchRequest: asked(batchBody),
  ScreenshotItem: item(itemSchemas.screenshot),
  PdfItem: item(itemSchemas.pdf),
  OgImageItem: item(itemSchemas.og_image),
  CaptureRecord: answered(captureRecord),
  Receipt: answered(receiptResponse),
  Acceptance: answered(acceptance),
  Batch: answered(batchRecord),
  BatchResult: answered(batchResult),
  BatchWithResults: answered(batchWithResults),
  Account: answered(account),
  AccountRow: answered(accountRow),
  Key: answered(keyRow),
  IssuedKey: answered(issuedKey),
  Error: answered(errorBody),
};

const names = new Map<unknown, string>(Object.entries(components).map(([name, { schema }]) => [schema, name]));

export const nameOf = (schema: unknown): string | undefined => names.get(schema);

export function componentSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(components).map(([name, { schema, io, unsettable }]) => {
      const made = jsonSchema(schema, io, nameOf);
      if (unsettable) made.properties = withNull(made.properties as Record<string, JsonSchema>);
      return [name, { ...made, ...(pages.has(schema) && whatIsCaptured) }];
    }),
  );
}

/** What is captured, and how, is the item's own. */
const itsOwn: ReadonlySet<string> = new Set(['url', 'type']);

function withNull(options: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      if (itsOwn.has(name)) return [name, option];
      const { description, ...rest } = option;
      const branches = (rest.anyOf as JsonSchema[] | undefined) ?? [rest];
      return [name, { description, anyOf: [...branches, { type: 'null' }] }];
    }),
  );
}

const pages: ReadonlySet<z.ZodType> = new Set(Object.values(captureKinds).map(({ request }) => request.in));

/** Where nothing is left to a batch's defaults. */
const whatIsCaptured = { oneOf: [{ required: ['url'] }, { required: ['html'] }] };
