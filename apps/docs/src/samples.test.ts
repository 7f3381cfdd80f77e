import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDocument } from './program/read-document.ts';
import { type Operation, operationsOf } from './reference/document.ts';
import { sampleOf } from './reference/sample-of.ts';
import { type Interpreter, interpreters, needInterpreter } from './samples/interpreters.test-support.ts';
import { type Recorder, startRecorder } from './samples/recorder.test-support.ts';
import type { SampleRequest } from './samples/sample-request.ts';
import { type Language, languages } from './samples/samples.ts';

// These tests run the samples against a server that records the requests.

const run = promisify(execFile);
const keys = { CAPTURE_API_KEY: 'cap_live_test', OPERATOR_KEY: 'operator-key' };
const env = { ...process.env, ...keys };
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

/** These languages start fast, so all samples run in them. In the other languages, one operation of each shape of sample runs. */
const runAllIn = new Set(['curl', 'node']);
const ofEachShape = onePerShape(operations);
const operationsIn = ({ id }: Language) => (runAllIn.has(id) ? operations : ofEachShape);

describe.each(languages)('samples in $label', (language) => {
  const interpreter = interpreters[language.id]!;

  it(`send the request of the operation (${language.id})`, async () => {
    await needInterpreter(interpreter);
    const samples = operationsIn(language).map((operation) => writeSample(language, operation));
    const outputs = await runSamples(language, samples);
    for (const [index, sample] of samples.entries()) expectSample(sample, outputs[index]!);
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

interface Sample {
  name: string;
  request: SampleRequest;
  /** The sample's own folder, and the file with its text. */
  cwd: string;
  file: string;
}

function writeSample({ id, write }: Language, operation: Operation): Sample {
  const name = `${id}-${operation.operationId}`;
  const request = sampleOf(operation, '');
  const sent = { ...request, url: recorder.urlFor(name, request.output) + request.url };
  const cwd = path.join(folder, name);
  const file = path.join(cwd, interpreters[id]!.file);
  mkdirSync(cwd);
  writeFileSync(file, write(sent));
  return { name, request, cwd, file };
}

/** Runs samples of a language. @returns the output of each. */
async function runSamples({ id }: Language, samples: readonly Sample[]): Promise<string[]> {
  const together = runTogether[id];
  if (together) return runInOneProcess(interpreters[id]!, together, samples);
  const program = id === 'go' && (await buildGo(samples));
  const outputs: string[] = [];
  for (let at = 0; at < samples.length; at += 4) {
    const some = samples.slice(at, at + 4).map(async ({ name, cwd, file }) => {
      const [command, ...args] = program ? [program, name] : [...interpreters[id]!.command, file];
      return (await run(command!, args, { cwd, env })).stdout;
    });
    outputs.push(...(await Promise.all(some)));
  }
  return outputs;
}

/** Programs that run the samples of one language, and print `ended` after each. */
const runTogether: Readonly<Record<string, (samples: readonly Sample[], ended: string) => string>> = {
  node: (samples, ended) => `
    for (const { cwd, file } of ${JSON.stringify(samples)}) {
      process.chdir(cwd);
      await import(file);
      console.log(${JSON.stringify(ended)});
    }`,
  python: (samples, ended) => `
import os, runpy
for sample in ${JSON.stringify(samples.map(({ cwd, file }) => [cwd, file]))}:
    os.chdir(sample[0])
    runpy.run_path(sample[1], run_name="__main__")
    print(${JSON.stringify(ended)})
`,
};

/** Runs all samples in one process: starting Node, or Python with its packages, takes ten times as long as running a sample. */
async function runInOneProcess(
  { file, command: [command] }: Interpreter,
  together: (samples: readonly Sample[], ended: string) => string,
  samples: readonly Sample[],
): Promise<string[]> {
  const ended = `end of ${folder}`;
  const all = path.join(folder, `all-${file}`);
  writeFileSync(all, together(samples, ended));
  const { stdout } = await run(command, [all], { cwd: folder, env });
  return stdout.split(ended).slice(0, -1);
}

/** Builds one program that runs the sample with a given name: linking a program for each takes a second of processor time. */
async function buildGo(samples: readonly Sample[]): Promise<string> {
  const together = path.join(folder, 'go');
  mkdirSync(together);
  const main = /^func main\(\) \{$/m;
  for (const [index, { file }] of samples.entries()) {
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(main);
    writeFileSync(path.join(together, `sample${index}.go`), text.replace(main, `func sample${index}() {`));
  }
  const cases = samples.map(({ name }, index) => `"${name}": sample${index},`);
  const all = `package main\n\nimport "os"\n\nfunc main() {\nmap[string]func(){${cases.join(' ')}}[os.Args[1]]()\n}\n`;
  writeFileSync(path.join(together, 'main.go'), all);
  const program = path.join(together, 'samples');
  const files = ['main.go', ...samples.map((_, index) => `sample${index}.go`)];
  await run('go', ['build', '-o', program, ...files], { cwd: together });
  return program;
}

function expectSample({ name, request, cwd }: Sample, stdout: string): void {
  expect({ name, ...received(name) }).toEqual({ name, ...expected(request) });
  const { output, file } = request;
  if (output === 'file') expect(readFileSync(path.join(cwd, file), 'utf8')).toBe('as expected');
  else expect([name, stdout]).toEqual([name, expect.stringContaining(output === 'nothing' ? '' : 'as expected')]);
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
