import { sendBytes } from '@capture/testing/network/send-bytes';
import fc from 'fast-check';
import { findFault } from './check-response.ts';
import { compatRequests } from './compat-requests.ts';
import { createData, type Target } from './create-data.ts';
import { signedLinks } from './link-requests.ts';
import { malformedHttp } from './malformed-http.ts';
import { type Operation, requestsOf, type WireRequest } from './requests-of-operation.ts';
import type { Schema } from './values-of-schema.ts';

export interface FuzzOptions {
  /** Requests for each operation of the document. Malformed HTTP gets as many. */
  perOperation: number;
  /** The same seed gives the same requests, except for keys and ids. */
  seed: number;
  atOnce: number;
  onProgress?: (sent: number) => void;
}

/** A wrong response, and the facts to repeat its request. */
export interface FuzzFault {
  fault: string;
  /** `POST /api/v1/batches`, and the number of the request. */
  operation: string;
  number: number;
  /** The request, truncated. */
  request: string;
}

export interface FuzzReport {
  /** Number of operations; malformed HTTP counts as one. */
  operations: number;
  sent: number;
  /** Number of responses by status; 0 for no response. */
  statuses: Record<number, number>;
  faults: FuzzFault[];
}

/** Longer than any immediate response takes, milliseconds. */
const timeoutMs = 20_000;
/** The client disconnects after this time where the service may keep a client waiting. */
const shortTimeoutMs = 1_000;

interface FuzzRequest {
  operation: string;
  number: number;
  request: WireRequest;
  mayWait: boolean;
  /** Whether the error body has the form of another service. */
  isTheirs?: boolean;
}

/** Sends generated requests for every operation of a service's own OpenAPI document and checks each response. */
export async function runFuzz(target: Target, options: FuzzOptions): Promise<FuzzReport> {
  const known = await createData(target);
  const document = await readDocument(target);
  const requests: FuzzRequest[] = listOperations(document).flatMap((operation, index) => {
    const name = `${operation.method} ${operation.path}`;
    const mayWait = operation.path.endsWith('/events') || '504' in operation.spec.responses;
    return sample(requestsOf(operation, known), options, index + 1).map((request, number) => ({
      operation: name,
      number,
      request,
      mayWait,
    }));
  });
  const screenshot = listOperations(document).find(
    ({ method, path }) => `${method} ${path}` === 'GET /api/v1/screenshot',
  );
  if (!screenshot) throw new Error('the document has no GET /api/v1/screenshot');
  // These operations take many kinds of requests each.
  const many = { ...options, perOperation: 5 * options.perOperation };
  const add = (operation: string, found: WireRequest[], more: Partial<FuzzRequest> = {}) =>
    requests.push(...found.map((request, number) => ({ operation, number, request, mayWait: true, ...more })));
  add('signed links', sample(signedLinks(screenshot, known), many, -1));
  add('compat', sample(compatRequests(known), many, -2), { isTheirs: true });
  const malformed = sample(malformedHttp, options, 0);
  add('malformed', malformed);
  return sendAll(target.port, mixed(requests), options);
}

/** @param index the number of the operation, which gives the operation different values. */
function sample(
  arbitrary: fc.Arbitrary<WireRequest>,
  { perOperation, seed }: FuzzOptions,
  index: number,
): WireRequest[] {
  return fc.sample(arbitrary, { numRuns: perOperation, seed: seed + index * 1_000_003 });
}

/** Interleaves the operations, so that they run concurrently. */
function mixed(requests: readonly FuzzRequest[]): FuzzRequest[] {
  return requests.toSorted((one, other) => one.number - other.number);
}

async function sendAll(port: number, requests: readonly FuzzRequest[], options: FuzzOptions): Promise<FuzzReport> {
  const operations = new Set(requests.map(({ operation }) => operation)).size;
  const report: FuzzReport = { operations, sent: 0, statuses: {}, faults: [] };
  const remaining = requests.values();
  const sendNext = async () => {
    for (const { operation, number, request, mayWait, isTheirs = false } of remaining) {
      const bytes = [Buffer.from(request.head, 'latin1'), request.body].filter((piece) => piece.length > 0);
      const response = await sendBytes(port, bytes, mayWait ? shortTimeoutMs : timeoutMs);
      const fault = findFault(response, { mayWait, isTheirs, bodiless: request.head.startsWith('HEAD ') });
      if (fault !== null) {
        const shown = `${request.head}${request.body.toString('latin1')}`;
        report.faults.push({ fault, operation, number, request: shown.slice(0, 1_500) });
      }
      const status = response.status ?? 0;
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      report.sent += 1;
      options.onProgress?.(report.sent);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, sendNext));
  return report;
}

async function readDocument({ port }: Target): Promise<Schema> {
  return (await fetch(`http://127.0.0.1:${port}/openapi.json`)).json();
}

function listOperations(document: Schema): Operation[] {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema;
    const [, ...names] = (schema.$ref as string).split('/');
    return resolve(names.reduce((part, name) => part[name], document));
  };
  return Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, spec]) => ({ method: method.toUpperCase(), path, spec, resolve })),
  );
}
