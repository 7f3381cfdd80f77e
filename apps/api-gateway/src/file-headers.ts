import type { ServerResponse } from 'node:http';
import { pdfPolicy } from './browser-headers.ts';
import { contentTypeOf } from './file-types.ts';

/** What is said of a capture's file: its one type, its name for who saves it, and a policy under which a browser runs none of it. */
export function setFileHeaders(
  res: Pick<ServerResponse, 'setHeader'>,
  { id, format }: { id: string; format: string | null },
  size: number,
): void {
  res.setHeader('Content-Type', contentTypeOf(format));
  res.setHeader('Content-Length', size);
  res.setHeader('Content-Disposition', `inline; filename="${id}.${format}"`);
  if (format === 'pdf') res.setHeader('Content-Security-Policy', pdfPolicy);
}
