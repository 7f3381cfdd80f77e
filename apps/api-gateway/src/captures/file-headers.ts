import type { ServerResponse } from 'node:http';
import { pdfPolicy } from '../http/browser-headers.ts';

const contentTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  metadata: 'application/json; charset=utf-8',
  links: 'application/json; charset=utf-8',
  mhtml: 'multipart/related',
  accessibility: 'application/json; charset=utf-8',
  har: 'application/json; charset=utf-8',
};

function contentTypeOf(format: string | null): string {
  return (format !== null && contentTypes[format]) || 'application/octet-stream';
}

/** The distinct media types of several formats, without parameters. */
export const contentTypesOf = (formats: readonly string[]): string[] => [
  ...new Set(formats.map((format) => contentTypeOf(format).replace(/;.*/, ''))),
];

const extensions: Readonly<Record<string, string>> = {
  markdown: 'md',
  text: 'txt',
  metadata: 'json',
  links: 'json',
  accessibility: 'json',
};

/** The file name extension of a format. */
export const extensionOf = (format: string | null) => (format !== null && extensions[format]) || format;

/** A file of a capture: `name` is the name of a further output. */
interface DescribedFile {
  id: string;
  name?: string;
  format: string | null;
}

/** The media type and file name of a capture's file. */
export function describeFile({ id, name, format }: DescribedFile) {
  // A bucket serves the file without a policy, so no browser should open the HTML of a page.
  const disposition = format === 'html' || format === 'mhtml' ? 'attachment' : 'inline';
  const contentDisposition = `${disposition}; filename="${name === undefined ? id : `${id}-${name}`}.${extensionOf(format)}"`;
  return { contentType: contentTypeOf(format), contentDisposition };
}

/** Sets the media type, size and file name, and for PDFs a policy that keeps browsers from running scripts. */
export function setFileHeaders(res: Pick<ServerResponse, 'setHeader'>, file: DescribedFile, size: number): void {
  const { contentType, contentDisposition } = describeFile(file);
  res.setHeader('Content-Type', contentType);
  res.setHeader('Content-Length', size);
  res.setHeader('Content-Disposition', contentDisposition);
  if (file.format === 'pdf') res.setHeader('Content-Security-Policy', pdfPolicy);
}
