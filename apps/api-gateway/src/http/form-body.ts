import { invalidRequest } from '@capture/contract/errors';
import type { BodyReader } from './read-body.ts';

/** A submitted form. A field that was given several times has a list. */
export interface Form {
  fields: Record<string, string | string[]>;
  files: { name: string; type: string; bytes: Buffer }[];
}

/** No form has nearly as many parts. Parsing hundreds of thousands would delay other clients. */
const maxParts = 1_000;

/** Reads bodies of forms, with or without files. */
export const formBody: BodyReader<Form> = {
  mediaTypes: ['multipart/form-data', 'application/x-www-form-urlencoded'],
  described: 'a form, with Content-Type: multipart/form-data',
  parse: parseForm,
};

async function parseForm(bytes: Buffer, contentType = ''): Promise<Form> {
  if (bytes.length === 0) return { fields: {}, files: [] };
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  refuseCrowd(bytes, boundary === undefined ? '&' : `--${boundary}`);
  // Node's parser takes the whole body at once: the bytes are already in memory, 5 MB at most.
  const response = new Response(bytes, { headers: { 'Content-Type': contentType } });
  const parts = await response.formData().catch((cause: unknown) => {
    throw invalidRequest([{ field: '', message: 'the body is not a valid form' }], cause);
  });
  const texts: [string, string][] = [];
  const files: Form['files'] = [];
  for (const [name, value] of parts) {
    if (typeof value === 'string') texts.push([name, value]);
    else files.push({ name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) });
  }
  return { fields: valuesOf(texts), files };
}

function refuseCrowd(bytes: Buffer, separator: string): void {
  let parts = 0;
  for (let at = bytes.indexOf(separator); at !== -1; at = bytes.indexOf(separator, at + separator.length)) {
    parts += 1;
    if (parts > maxParts) {
      throw invalidRequest([
        { field: '', message: `the form must have at most ${maxParts.toLocaleString('en')} parts` },
      ]);
    }
  }
}

/** The values of a form or a query by name. */
export function valuesOf(texts: Iterable<[string, string]>): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [name, text] of texts) {
    const earlier = values.get(name);
    if (earlier) earlier.push(text);
    else values.set(name, [text]);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length > 1 ? all : (all[0] ?? '')]));
}
