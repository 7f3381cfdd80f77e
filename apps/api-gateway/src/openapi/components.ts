import { account, accountRow, issuedKey, keyRow } from '@capture/contract/account-answers';
import {
  acceptance,
  batchRecord,
  batchResult,
  batchWithResults,
  captureRecord,
  errorBody,
} from '@capture/contract/answers';
import { captureKinds } from '@capture/contract/capture-options';
import { receiptAnswer } from '@capture/contract/receipt-answer';
import type { z } from 'zod';
import { batchBody, itemSchemas } from './batch-body.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

interface Component {
  schema: z.ZodType;
  io: 'input' | 'output';
}

const asked = (schema: z.ZodType): Component => ({ schema, io: 'input' });
const answered = (schema: z.ZodType): Component => ({ schema, io: 'output' });

/** The schemas that have a name in the document: what is used more than once, or what a generated client names. */
const components: Readonly<Record<string, Component>> = {
  ScreenshotRequest: asked(captureKinds.screenshot.request.in),
  PdfRequest: asked(captureKinds.pdf.request.in),
  OgImageRequest: asked(captureKinds.og_image.request.in),
  BatchRequest: asked(batchBody),
  ScreenshotItem: asked(itemSchemas.screenshot),
  PdfItem: asked(itemSchemas.pdf),
  OgImageItem: asked(itemSchemas.og_image),
  CaptureRecord: answered(captureRecord),
  Receipt: answered(receiptAnswer),
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
    Object.entries(components).map(([name, { schema, io }]) => [
      name,
      { ...jsonSchema(schema, io, nameOf), ...(pages.has(schema) && whatIsCaptured) },
    ]),
  );
}

const pages: ReadonlySet<z.ZodType> = new Set(Object.values(captureKinds).map(({ request }) => request.in));

/** Where nothing is left to a batch's defaults. */
const whatIsCaptured = { oneOf: [{ required: ['url'] }, { required: ['html'] }] };
