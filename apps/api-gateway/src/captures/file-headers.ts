import type { ServerResponse } from 'node:http';
import { pdfPolicy } from '../http/browser-headers.ts';

const contentTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
};

/** The media type of a file format. */
function contentTypeOf(format: string | null): string {
  return (format !== null && contentTypes[format]) || 'application/octet-stream';
}

/** The distinct media types of several formats. */
export const contentTypesOf = (formats: readonly string[]): string[] => [...new Set(formats.map(contentTypeOf))];

/** The media type and file name of a capture's file. */
export function describeFile({ id, format }: { id: string; format: string | null }) {
  return { contentType: contentTypeOf(format), contentDisposition: `inline; filename="${id}.${format}"` };
}

/** Sets the media type, size and file name, and for PDFs a policy that keeps browsers from running scripts. */
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
