import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError, invalidRequest } from '@capture/contract/errors';
import type { Request } from 'express';
import { parse } from 'lossless-json';

/**
 * The contract's limit of a body, bytes. It applies after decompression, so that a small body cannot become a large one here.
 */
export const largestBody = 5 * 1024 * 1024;

/** The limit without authentication, bytes: anyone could occupy the event loop, and an address or a key is short. */
export const largestUnknownBody = 64 * 1024;

/** No schema of a request nests as deeply. Code that recurses through a body needs a bound. */
const deepestNesting = 32;

/** The decompressor of each `Content-Encoding`. */
const decompressors = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/** Parses a body of some media types into `req.body`. */
export interface BodyReader<Body = unknown> {
  mediaTypes: readonly string[];
  /** How an error describes the body that this reader needs. */
  described: string;
  /** Whether handling the body occupies the event loop even if the body is small. */
  takesLong?: true;
  parse(bytes: Buffer, contentType: string | undefined): Body | Promise<Body>;
}

export const jsonBody: BodyReader = {
  mediaTypes: ['application/json'],
  described: 'JSON in UTF-8, with Content-Type: application/json',
  parse: parseJson,
};

/**
 * Reads a JSON body into `req.body`, which stays undefined without a body. Refuses a body as soon as it is too large, however
 * much of it is still to come.
 *
 * @param largest the largest allowed size, bytes, after decompression.
 * @throws {ApiError} `UNSUPPORTED_MEDIA_TYPE` for a body that is not declared as JSON in UTF-8, or has an unknown encoding;
 * `PAYLOAD_TOO_LARGE`; `INVALID_REQUEST` for a body that is not JSON.
 */
export async function readJsonBody(req: Request, largest: number): Promise<void> {
  req.body = parseJson(await collectBody(req, jsonBody, largest));
}

/** Whether a body can have more than `bytes` bytes: its headers say so, or do not say how many. */
export function mayBeLarge({ headers }: IncomingMessage, bytes: number): boolean {
  const hasUnknownSize = headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined;
  return hasUnknownSize || Number(headers['content-length'] ?? 0) > bytes;
}

/** Bodies that were collected before their request was authenticated, until they are read. */
const collected = new WeakMap<Request, Buffer>();

/** Returns the bytes of a body and keeps them for the reader. */
export async function peekBody(req: Request, reader: BodyReader): Promise<Buffer> {
  const bytes = await collectBody(req, reader);
  collected.set(req, bytes);
  return bytes;
}

/** Returns the bytes of a body, decompressed; no bytes without a body. @throws {ApiError} like `readJsonBody`. */
export async function collectBody(
  req: Request,
  { mediaTypes, described }: BodyReader,
  largest = largestBody,
): Promise<Buffer> {
  const earlier = collected.get(req);
  if (earlier) {
    // The request lives until its response; the bytes are not needed as long.
    collected.delete(req);
    return earlier;
  }
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return Buffer.alloc(0);
  if (!req.is([...mediaTypes]) || !/^utf-?8$/i.test(charsetOf(req) ?? 'utf-8')) {
    const type = req.headers['content-type'];
    const given = type === undefined ? 'the request has none' : `given: ${JSON.stringify(type.slice(0, 100))}`;
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${described} (${given}).`);
  }
  // The client may have disconnected while the request waited: then the request emits no further event.
  if (req.destroyed) throw notJson();
  return collect(req, decompressed(req, largest), largest);
}

function charsetOf(req: Request): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(req.headers['content-type'] ?? '')?.[1];
}

/** The body, decompressed. */
function decompressed(req: IncomingMessage, largest: number): Readable {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') {
    if (Number(req.headers['content-length'] ?? 0) > largest) throw tooLarge(largest);
    return req;
  }
  if (!Object.hasOwn(decompressors, encoding)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be plain, or compressed with gzip, deflate or br.');
  }
  return req.pipe(decompressors[encoding as keyof typeof decompressors]());
}

/** @param body the request itself, or its decompressor. */
function collect(req: IncomingMessage, body: Readable, largest: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (error: Error) => {
      body.off('data', take);
      if (body !== req) {
        req.unpipe();
        body.destroy();
      }
      // The server discards the rest until it cuts the connection.
      req.resume();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > largest) stop(tooLarge(largest));
      else chunks.push(chunk);
    };
    body.on('data', take);
    // The bytes do not match their declared encoding.
    const fail = (cause: Error) => stop(notJson(cause, ', or not compressed as Content-Encoding says'));
    // The client has disconnected.
    const close = () => {
      if (!req.complete) stop(notJson());
    };
    body.once('end', () => {
      // The request lives until its response, and its listeners would keep the bytes as long.
      body.off('data', take);
      body.off('error', fail);
      req.off('close', close);
      resolve(Buffer.concat(chunks, length));
    });
    body.on('error', fail);
    req.once('close', close);
  });
}

/** The value of a body; undefined without one. @throws {ApiError} `INVALID_REQUEST` for a body that is not JSON. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw notJson();
  // A byte order mark may precede the text (RFC 8259, 8.1).
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    // The message of the cause repeats parts of the body, so it stays in the log.
    throw notJson(cause, placeOf(text, cause as Error));
  }
  if (isDeeper(value, deepestNesting)) {
    throw invalidRequest([{ field: '', message: `the body is nested more than ${deepestNesting} levels deep` }]);
  }
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

const tooLarge = (largest: number) =>
  new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${largest === largestBody ? '5 MB' : '64 kB'}.`);

/** The second parser takes 7 ms for 100,000 characters, and 0.1 s if all of them open brackets. */
const longestParsedAgain = 100_000;

/** Finds where JSON stops being valid. Node 20 to 24 report no position for an unexpected token. */
function placeOf(text: string, { message }: Error): string {
  if (/end of JSON input$/.test(message)) return ': it ends too early';
  const position = positionIn(message) ?? (text.length <= longestParsedAgain ? positionOfFault(text) : undefined);
  if (position === undefined) return '';
  if (text.slice(position).trim() === '') return ': it ends too early';
  const before = text.slice(0, position).split('\n');
  return `: see line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

function positionOfFault(text: string): number | undefined {
  try {
    parse(text);
  } catch (error) {
    return positionIn((error as Error).message);
  }
  return undefined;
}

/** Reads the position at the end of the message, because a message may quote a body with the same words. */
function positionIn(message: string): number | undefined {
  const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  return position === undefined ? undefined : Number(position);
}

function notJson(cause?: unknown, place = ''): ApiError {
  const error = invalidRequest([{ field: '', message: `the body is not valid JSON${place}` }]);
  return cause === undefined ? error : new ApiError(error.code, error.message, { details: error.details ?? [], cause });
}
