import { sendBytes } from '@capture/testing/send-bytes';
import fc from 'fast-check';
import { arrange, type Target } from './arrange.ts';
import { faultOf } from './check-response.ts';
import { malformedHttp } from './malformed-http.ts';
import { type Operation, requestsOf, type WireRequest } from './requests-of-operation.ts';
import type { Schema } from './values-of-schema.ts';

export interface FuzzOptions {
  /** Requests for each operation of the document, and as many that are hardly HTTP. */
  perOperation: number;
  /** The same seed gives the same requests, but for keys and ids. */
  seed: number;
  /** Requests at once. */
  atOnce: number;
  onProgress?: (sent: number) => void;
}

/** An answer that should not have been given, and all that is needed to ask for it again. */
export interface FuzzFault {
  fault: string;
  /** `POST /api/v1/batches`, and which of its requests. */
  operation: string;
  number: number;
  /** The request, cut short. */
  request: string;
}

export interface FuzzReport {
  /** How many operations there are, those beyond HTTP counted as one. */
  operations: number;
  sent: number;
  /** How many answers had which status; 0 for those that nothing was answered to. */
  statuses: Record<number, number>;
  faults: FuzzFault[];
}

/** Longer than any answer takes that is not waited for. */
const patienceMs = 20_000;
/** Where a client may have to wait, it hangs up. */
const shortPatienceMs = 1_000;

interface Shot {
  operation: string;
  number: number;
  request: WireRequest;
  mayWait: boolean;
}

/** Sends generated requests for every operation of a service's own OpenAPI document and judges each answer. */
export async function runFuzz(target: Target, options: FuzzOptions): Promise<FuzzReport> {
  const known = await arrange(target);
  const document = await readDocument(target);
  const shots: Shot[] = operationsOf(document).flatMap((operation, index) => {
    const name = `${operation.method} ${operation.path}`;
    const mayWait = operation.path.endsWith('/events') || '504' in operation.spec.responses;
    return sample(requestsOf(operation, known), options, index + 1).map((request, number) => ({
      operation: name,
      number,
      request,
      mayWait,
    }));
  });
  const malformed = sample(malformedHttp, options, 0);
  shots.push(...malformed.map((request, number) => ({ operation: 'malformed', number, request, mayWait: true })));
  return shoot(target.port, mixed(shots), options);
}

/** @param index of the operation: each has values of its own. */
function sample(
  arbitrary: fc.Arbitrary<WireRequest>,
  { perOperation, seed }: FuzzOptions,
  index: number,
): WireRequest[] {
  return fc.sample(arbitrary, { numRuns: perOperation, seed: seed + index * 1_000_003 });
}

/** One of each operation in turn, so that none has the service to itself. */
function mixed(shots: readonly Shot[]): Shot[] {
  return shots.toSorted((one, other) => one.number - other.number);
}

async function shoot(port: number, shots: readonly Shot[], options: FuzzOptions): Promise<FuzzReport> {
  const operations = new Set(shots.map(({ operation }) => operation)).size;
  const report: FuzzReport = { operations, sent: 0, statuses: {}, faults: [] };
  const rest = shots.values();
  const oneAfterTheOther = async () => {
    for (const { operation, number, request, mayWait } of rest) {
      const bytes = [Buffer.from(request.head, 'latin1'), request.body].filter((piece) => piece.length > 0);
      const answer = await sendBytes(port, bytes, mayWait ? shortPatienceMs : patienceMs);
      const fault = faultOf(answer, { mayWait, bodiless: request.head.startsWith('HEAD ') });
      if (fault !== null) {
        const shown = `${request.head}${request.body.toString('latin1')}`;
        report.faults.push({ fault, operation, number, request: shown.slice(0, 1_500) });
      }
      const status = answer.status ?? 0;
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      report.sent += 1;
      options.onProgress?.(report.sent);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, oneAfterTheOther));
  return report;
}

async function readDocument({ port }: Target): Promise<Schema> {
  return (await fetch(`http://127.0.0.1:${port}/openapi.json`)).json();
}

function operationsOf(document: Schema): Operation[] {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema;
    const [, ...names] = (schema.$ref as string).split('/');
    return resolve(names.reduce((part, name) => part[name], document));
  };
  return Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, spec]) => ({ method: method.toUpperCase(), path, spec, resolve })),
  );
}
