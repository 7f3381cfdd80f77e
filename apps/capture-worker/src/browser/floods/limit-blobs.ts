/// <reference lib="dom" />
import type { FloodLimits } from '../../limits.ts';
import type { Check, WrapCalls } from './wrap-calls.ts';

/**
 * Limits the bytes of blobs, however a page makes them, and those that it reads. They lie in the main process, whose memory all
 * pages share.
 */
export function limitBlobs({ input: limits, calls }: { input: FloodLimits; calls: WrapCalls }): void {
  const { objectUrls, blobBytes, blobBytesElsewhere, blobReads, blobReadsElsewhere } = limits;
  const { wrap, atMost, tooMany, prototypeOf, isElsewhere } = calls;
  const { apply, construct } = Reflect;
  const { Promise: Pending } = globalThis;
  const { getPrototypeOf: prototypeOfValue, getOwnPropertyDescriptor: describe } = Object;
  wrap(globalThis.URL, 'createObjectURL', atMost(objectUrls), () => {
    throw tooMany('object URLs');
  });
  wrap(globalThis.URL, 'revokeObjectURL', atMost(objectUrls));
  const readSize = describe(prototypeOf('Blob') ?? {}, 'size')?.get;
  const buffers = [ArrayBuffer.prototype, prototypeOfValue(Uint8Array.prototype), DataView.prototype];
  const lengthReaders = [...buffers.map((prototype) => describe(prototype, 'byteLength')?.get), readSize];
  const { iterator } = Symbol;
  const mostBlobs = isElsewhere ? blobBytesElsewhere : blobBytes;
  let blobs = 0;
  /** Of a buffer, a view of one, or a blob; null of anything else. */
  const bytesOf = (part: unknown): number | null => {
    for (let place = 0; place < lengthReaders.length; place += 1) {
      try {
        return apply(lengthReaders[place] as () => number, part, []);
      } catch {
        // Not of this kind.
      }
    }
    return null;
  };
  /** Counts a blob's parts, and replaces them by those that it counted: an iterator or `toString` of the page may change. */
  const hasRoom: Check = (args) => {
    if (typeof args[0] !== 'object' || args[0] === null) return true;
    const parts: unknown[] = [...(args[0] as Iterable<unknown>)];
    const { length } = parts;
    let bytes = blobs;
    for (let place = 0; place < length && bytes <= mostBlobs; place += 1) {
      const known = bytesOf(parts[place]);
      if (known === null) parts[place] = `${parts[place]}`;
      bytes += known ?? (parts[place] as string).length;
    }
    let place = 0;
    const next = () => ({ done: place === length, value: parts[place++] });
    args[0] = { [iterator]: () => ({ next }) };
    return bytes <= mostBlobs;
  };
  const countBlob = (made: object) => {
    blobs += readSize ? apply(readSize, made, []) : 0;
  };
  const refuseBlob = () => {
    throw tooMany('bytes in blobs');
  };
  const makers = globalThis as unknown as { Blob: typeof Blob; File?: object };
  const { File: makeFile } = makers;
  for (const name of ['Blob', 'File']) wrap(globalThis, name, hasRoom, refuseBlob, countBlob);
  const { Blob: LimitedBlob } = makers;
  // Otherwise it leads to the one that is wrapped.
  if (makeFile) Object.setPrototypeOf(makeFile, LimitedBlob);
  const mostReads = isElsewhere ? blobReadsElsewhere : blobReads;
  let reads = 0;
  /** Counts a blob that is read. What is none is left to the function that reads it. */
  const mayRead = (blob: unknown) => {
    try {
      reads += readSize ? apply(readSize, blob, []) : 0;
    } catch {
      return true;
    }
    return reads <= mostReads;
  };
  const refuseRead = () => {
    throw tooMany('bytes of blobs that are read');
  };
  const rejectRead = () => Pending.reject(tooMany('bytes of blobs that are read'));
  for (const name of ['arrayBuffer', 'bytes', 'text']) {
    wrap(prototypeOf('Blob'), name, (_, self) => mayRead(self), rejectRead);
  }
  wrap(prototypeOf('Blob'), 'stream', (_, self) => mayRead(self), refuseRead);
  for (const reader of ['FileReader', 'FileReaderSync']) {
    for (const name of ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText']) {
      wrap(prototypeOf(reader), name, ([blob]) => mayRead(blob), refuseRead);
    }
  }
  const blobOf = (buffer: ArrayBuffer, type: string | null) => new LimitedBlob([buffer], { type: type ?? '' });

  // What else makes blobs of bytes gives the bytes here, of which the constructor makes the blob.
  const instead: Check = () => false;
  for (const name of ['Response', 'Request'] as const) {
    const { [name]: make } = globalThis as unknown as Partial<Record<'Response' | 'Request', typeof Response>>;
    const prototype = make?.prototype;
    const readHeaders = describe(prototype ?? {}, 'headers')?.get;
    if (!prototype || !readHeaders) continue;
    const { arrayBuffer } = prototype;
    const { get: readHeader } = Headers.prototype;
    wrap(prototype, 'blob', instead, async (_, self) => {
      const buffer = await apply(arrayBuffer, self, []);
      return blobOf(buffer, apply(readHeader, apply(readHeaders, self, []), ['content-type']));
    });
    const { formData } = Response.prototype;
    const makeResponse = Response;
    wrap(prototype, 'formData', instead, async (_, self) => {
      const buffer = await apply(arrayBuffer, self, []);
      blobs += bytesOf(buffer) ?? 0;
      if (blobs > mostBlobs) refuseBlob();
      return apply(formData, construct(makeResponse, [buffer, { headers: apply(readHeaders, self, []) }]), []);
    });
  }
  // After what is above, which makes responses of bytes.
  wrap(globalThis, 'Response', ([body]) => mayRead(body), refuseRead);
  const requests = prototypeOf('XMLHttpRequest') as XMLHttpRequest | undefined;
  const responseType = describe(requests ?? {}, 'responseType');
  const readResponse = describe(requests ?? {}, 'response')?.get;
  if (requests && responseType?.get && responseType.set && readResponse) {
    const { get: getType, set: setType } = responseType;
    const { getResponseHeader } = requests;
    /** Those whose response is a blob, with the type that they override. */
    const ofBlobs = new WeakSet<object>();
    const overridden = new WeakMap<object, string>();
    const made = new WeakMap<object, Blob | null>();
    /** A media type without its parameters, as Chromium gives it to these blobs; undefined if it is none. */
    const essenceOf = (type: string | null) => /^\s*([^\s/;]+\/[^\s/;]+)\s*(;|$)/.exec(type ?? '')?.[1]?.toLowerCase();
    const makeBlob = (request: object, buffer: ArrayBuffer) => {
      try {
        const given = overridden.get(request);
        const type = given ?? apply(getResponseHeader, request, ['content-type']);
        return blobOf(buffer, essenceOf(type) ?? (given === undefined ? 'text/xml' : 'application/octet-stream'));
      } catch {
        return null;
      }
    };
    Object.defineProperty(requests, 'responseType', {
      ...responseType,
      get(this: object) {
        const type = apply(getType, this, []);
        return ofBlobs.has(this) ? 'blob' : type;
      },
      set(this: object, value: unknown) {
        const type = `${value}`;
        apply(setType, this, [type === 'blob' ? 'arraybuffer' : type]);
        if (type === 'blob') ofBlobs.add(this);
        // Chromium ignores what is no type.
        else if (apply(getType, this, []) === type) ofBlobs.delete(this);
      },
    });
    wrap(requests, 'overrideMimeType', ([type], self) => !overridden.set(self as object, `${type}`) || true);
    wrap(
      requests,
      'response',
      (_, self) => !ofBlobs.has(self as object),
      (_, self) => {
        const buffer = apply(readResponse, self, []);
        if (buffer && !made.has(buffer)) made.set(buffer, makeBlob(self as object, buffer));
        return buffer && made.get(buffer);
      },
    );
  }
  // An image's bytes are unknown before it is encoded: about one for each pixel.
  const hasPixels = (prototype: object | undefined): Check => {
    const sides = ['width', 'height'].map((side) => describe(prototype ?? {}, side)?.get);
    return (_, self) => {
      const [width = 0, height = 0] = sides.map((read) => (read ? apply(read, self, []) : 0));
      blobs += width * height;
      return blobs <= mostBlobs;
    };
  };
  const { setTimeout: later } = globalThis;
  const canvases = prototypeOf('HTMLCanvasElement');
  // As for an image that cannot be encoded.
  wrap(canvases, 'toBlob', hasPixels(canvases), ([callback]) => {
    later(() => (callback as BlobCallback)(null));
  });
  const offscreen = prototypeOf('OffscreenCanvas');
  wrap(offscreen, 'convertToBlob', hasPixels(offscreen), () => Pending.reject(tooMany('bytes in blobs')));
}
