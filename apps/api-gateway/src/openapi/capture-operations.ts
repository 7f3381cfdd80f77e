import { captureFilter } from '@capture/contract/api/capture-record';
import { acceptance, captureRecord, pageOfRows } from '@capture/contract/api/responses';
import { captureErrorCodes } from '@capture/contract/errors';
import { allCaptureKinds, type CaptureKind } from '@capture/contract/options/capture-options';
import { bodyOnlyOptions } from '@capture/contract/options/capture-query';
import { contentTypeOf } from '../captures/file-types.ts';
import { receiptHeaders } from './headers.ts';
import type { Answer, Operation, Operations } from './operation.ts';

const examples: Record<CaptureKind['type'], object> = {
  screenshot: { url: 'https://example.com/', full_page: true, format: 'webp', quality: 80 },
  pdf: { url: 'https://example.com/', paper: 'A4', margin: { top: '20mm', bottom: '20mm' } },
  og_image: { url: 'https://example.com/', template: 'card', theme: 'dark' },
};

/** The routes that take captures and tell of them. */
export const captureOperations: Operations = {
  ...Object.fromEntries(allCaptureKinds.flatMap(operationsOf)),
  'GET /api/v1/captures': {
    id: 'listCaptures',
    tag: 'Captures',
    summary: 'List captures',
    query: captureFilter,
    answers: { 200: { description: 'A page of the account’s captures.', json: pageOfRows('captures', captureRecord) } },
  },
  'GET /api/v1/captures/:id': {
    id: 'getCapture',
    tag: 'Captures',
    summary: 'Read a capture’s record',
    answers: { 200: { description: 'The record.', json: captureRecord } },
  },
  'DELETE /api/v1/captures/:id': {
    id: 'deleteCapture',
    tag: 'Captures',
    summary: 'Delete a capture’s file',
    description: 'The record stays, the file goes; a capture that has not ended is cancelled and costs nothing.',
    answers: { 204: { description: 'Done.' } },
  },
  'GET /files/:name': {
    id: 'getFile',
    tag: 'Captures',
    summary: 'Read a capture’s file by its signed link',
    description: 'The link stands in `file_url`. It needs no key and stops at `expires_at`.',
    answers: {
      200: fileResponse(
        'The file.',
        allCaptureKinds.flatMap((kind) => kind.formats),
      ),
      302: {
        description: 'Where files are in a bucket that gives them itself: `Location` leads there, for a minute.',
        headers: ['Location'],
      },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
};

function operationsOf(kind: CaptureKind): [string, Operation][] {
  const noun = { screenshot: 'Screenshot', pdf: 'Pdf', og_image: 'OgImage' }[kind.type];
  const common = {
    tag: 'Captures',
    answers: {
      200: {
        ...fileResponse('The bytes; with `response_type=json` the record in place of them.', kind.formats),
        json: captureRecord,
        headers: Object.keys(receiptHeaders),
      },
      202: { description: 'With `async`: where the record is to be found.', json: acceptance },
    },
    errors: [...captureErrorCodes, 'OVERLOADED'],
  } as const;
  return [
    [
      `GET ${kind.path}`,
      {
        ...common,
        id: `get${noun}`,
        summary: `Take ${kind.name}`,
        description:
          'The options stand in the query: an object or array as JSON text, an array of plain values also with commas. An option given twice is refused. What is confidential belongs into the body of a POST: URLs are kept by whatever they pass.',
        query: kind.request.in,
        notInQuery: bodyOnlyOptions,
      },
    ],
    [
      `POST ${kind.path}`,
      {
        ...common,
        id: `take${noun}`,
        summary: `Take ${kind.name}, options as JSON`,
        description: 'Takes `html` in place of `url` too.',
        body: { schema: kind.request.in, example: examples[kind.type], required: true },
        idempotent: true,
      },
    ],
  ];
}

function fileResponse(description: string, formats: readonly string[]): Answer {
  return { description, media: [...new Set(formats.map(contentTypeOf))] };
}
