import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDocument } from './program/read-document.ts';
import { type Operation, operationsOf } from './reference/document.ts';
import { sampleOf } from './reference/sample-of.ts';
import { interpreters, needInterpreter } from './samples/interpreters.test-support.ts';
import { type Recorder, startRecorder } from './samples/recorder.test-support.ts';
import type { SampleRequest } from './samples/sample-request.ts';
import { type Language, languages } from './samples/samples.ts';

// Runs the samples against a server that records what they send.

const run = promisify(execFile);
const keys = { CAPTURE_API_KEY: 'cap_live_test', OPERATOR_KEY: 'operator-key' };
const operations = [
  ...operationsOf(readDocument('B')),
  ...operationsOf(readDocument('A')).filter(({ operationId }) => operationId === 'testWebhook'),
];
const folder = mkdtempSync(path.join(tmpdir(), 'samples-'));

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(async () => {
  await recorder.close();
  rmSync(folder, { recursive: true });
});

/** These start fast. In the other languages, one operation of each shape of sample is run. */
const runAllIn = new Set(['curl', 'node']);
const ofEachShape = onePerShape(operations);

describe.each(languages)('samples in $label', (language) => {
  const interpreter = interpreters[language.id]!;

  it(`send the request of the operation (${language.id})`, async () => {
    await needInterpreter(interpreter);
    const all = runAllIn.has(language.id) ? operations : ofEachShape;
    for (let at = 0; at < all.length; at += 4) {
      await Promise.all(all.slice(at, at + 4).map((operation) => expectSample(language, operation)));
    }
  });
});

it('Go’s formatter accepts every sample in Go', async () => {
  await needInterpreter(interpreters.go!);
  const write = languages.find(({ id }) => id === 'go')!.write;
  const files = operations.map((operation) => {
    const file = path.join(folder, `${operation.operationId}.go`);
    writeFileSync(file, `${write(sampleOf(operation, 'https://captures.acme.test'))}\n`);
    return file;
  });
  expect((await run('gofmt', ['-l', ...files])).stdout).toBe('');
});

async function expectSample({ id, write }: Language, operation: Operation): Promise<void> {
  const name = `${id}-${operation.operationId}`;
  const sample = sampleOf(operation, '');
  const sent = { ...sample, url: recorder.urlFor(name, sample.output) + sample.url };
  const { file, command } = interpreters[id]!;
  const [program, ...args] = command;
  const cwd = path.join(folder, name);
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, file), write(sent));
  const { stdout } = await run(program, [...args, file], { cwd, env: { ...process.env, ...keys } });
  expect({ name, ...received(name) }).toEqual({ name, ...expected(sample) });
  if (sample.output === 'file') expect(readFileSync(path.join(cwd, sample.file), 'utf8')).toBe('as expected');
  else
    expect([name, stdout]).toEqual([name, expect.stringContaining(sample.output === 'nothing' ? '' : 'as expected')]);
}

function received(name: string) {
  const { method, url, headers, body } = recorder.requestOf(name)!;
  return {
    method,
    path: url.pathname.slice(name.length + 1),
    query: Object.fromEntries(url.searchParams),
    key: headers['x-api-key'] ?? headers.authorization,
    type: body === '' ? undefined : headers['content-type'],
    body: body === '' ? undefined : JSON.parse(body),
  };
}

function expected({ method, url, query, credential, body }: SampleRequest) {
  return {
    method,
    path: url,
    query,
    key: credential && credential.prefix + keys[credential.variable as keyof typeof keys],
    type: body === undefined ? undefined : 'application/json',
    body,
  };
}

function onePerShape(all: readonly Operation[]): Operation[] {
  const shapes = new Map<string, Operation>();
  for (const operation of all) {
    const { method, query, credential, body, output } = sampleOf(operation, '');
    const shape = [method, Object.keys(query).length > 0, credential?.variable, body === undefined, output].join();
    if (!shapes.has(shape)) shapes.set(shape, operation);
  }
  return [...shapes.values()];
}
