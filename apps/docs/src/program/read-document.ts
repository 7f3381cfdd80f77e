import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { OpenApiDocument } from '../reference/document.ts';

const printDocument = path.join(import.meta.dirname, '../../../../apps/api-gateway/dist/print-openapi.js');

/** Reads the OpenAPI document of the built gateway for one form. */
export function readDocument(form: 'A' | 'B'): OpenApiDocument {
  const env = { ...process.env, NODE_OPTIONS: '' };
  return JSON.parse(execFileSync(process.execPath, [printDocument, form], { maxBuffer: 16_000_000, env }).toString());
}
