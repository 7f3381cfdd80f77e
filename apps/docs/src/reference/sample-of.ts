import type { Output, SampleRequest } from '../samples/sample-request.ts';
import { type Operation, type Parameter, schemaOf, successesOf } from './document.ts';

/** Builds the request that samples of an operation send: its required parts, with the document's examples. */
export function sampleOf(operation: Operation, server: string): SampleRequest {
  const { method, path, parameters, requestBody } = operation;
  const required = parameters.filter((parameter) => parameter.required);
  const inPath = required.filter((parameter) => parameter.in === 'path');
  const url = inPath.reduce((text, one) => text.replace(`{${one.name}}`, encodeURI(exampleOf(one))), path);
  const query = required.filter((parameter) => parameter.in === 'query').map((one) => [one.name, exampleOf(one)]);
  const credential = credentialOf(operation);
  const example = requestBody?.content['application/json'].example;
  const hasBody = requestBody !== undefined && (requestBody.required || Object.keys(example as object).length > 0);
  return {
    method,
    url: server + url,
    query: Object.fromEntries(query),
    ...(credential && { credential }),
    ...(hasBody && { body: example }),
    ...outputOf(operation),
  };
}

/** Returns the example of a parameter, as text. */
export function exampleOf(parameter: Parameter): string {
  const { examples, default: standard, enum: values } = schemaOf(parameter);
  const example = examples?.[0] ?? standard ?? values?.[0];
  if (example === undefined) throw new Error(`the parameter ${parameter.name} has no example`);
  return typeof example === 'string' ? example : JSON.stringify(example);
}

function credentialOf({ security }: Operation): SampleRequest['credential'] {
  const schemes = security.flatMap(Object.keys);
  if (schemes.includes('apiKey')) return { header: 'X-API-Key', prefix: '', variable: 'CAPTURE_API_KEY' };
  if (schemes.includes('operatorKey')) return { header: 'Authorization', prefix: 'Bearer ', variable: 'OPERATOR_KEY' };
  return undefined;
}

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
};

function outputOf(operation: Operation): { output: Output; file: string } {
  const [{ content } = { content: {} }] = successesOf(operation);
  const types = Object.keys(content);
  const [type = ''] = types;
  const body = operation.requestBody?.content['application/json'].example as { format?: string } | undefined;
  const extension = body?.format ?? extensions[type];
  if (extension !== undefined) return { output: 'file', file: `${fileName(operation.path)}.${extension}` };
  if (type === '') return { output: 'nothing', file: '' };
  if (type === 'text/event-stream') return { output: 'stream', file: '' };
  return { output: types.length === 1 && type === 'application/json' ? 'json' : 'text', file: '' };
}

/** Names a file: `screenshot` for `/api/v1/screenshot`, `archive` for `/api/v1/batches/{id}/archive`, `capture` for a file. */
function fileName(path: string): string {
  const last = path.split('/').at(-1) ?? '';
  return last.startsWith('{') ? 'capture' : last;
}
