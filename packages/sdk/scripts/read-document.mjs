import { execFileSync } from 'node:child_process';
import path from 'node:path';

const printDocument = path.join(import.meta.dirname, '../../../apps/api-gateway/dist/print-openapi.js');

/**
 * Returns the OpenAPI document of the built gateway for one form.
 *
 * @param {'A' 'B'} form
 */
export function readDocument(form) {
  return JSON.parse(execFileSync(process.execPath, [printDocument, form], { maxBuffer: 16_000_000 }));
}
