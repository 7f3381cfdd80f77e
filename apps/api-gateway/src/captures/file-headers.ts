import type { ServerResponse } from 'node:http';
import { pdfPolicy } from '../http/browser-headers.ts';

const contentTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
};

/** The media type of a capture's file by its format. */
function contentTypeOf(format: string | null): string {
  return (format !== null && contentTypes[format]) || 'application/octet-stream';
}

/** The media types of several formats, each once. */
export const contentTypesOf = (formats: readonly string[]): string[] => [...new Set(formats.map(contentTypeOf))];

/** A capture's file: its type, and its name for who saves it. */
export function describeFile({ id, format }: { id: string; format: string | null }) {
  return { contentType: contentTypeOf(format), contentDisposition: `inline; filename="${id}.${format}"` };
}

/** What is said of a capture's file: its one type, its name for who saves it, and a policy under which a browser runs none of it. */
export function setFileHeaders(
  res: Pick<ServerResponse, 'setHeader'>,
  file: { id: string; format: string | null },
  size: number,
): void {
  const { contentType, contentDisposition } = describeFile(file);
  res.setHeader('Content-Type', contentType);
  res.setHeader('Content-Length', size);
  res.setHeader('Content-Disposition', contentDisposition);
  if (file.format === 'pdf') res.setHeader('Content-Security-Policy', pdfPolicy);
}
