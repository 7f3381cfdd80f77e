import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { signLink } from '@capture-platform/sdk/sign-link';
import { expect, it } from '@jest/globals';
import { interpreters, needInterpreter } from './samples/interpreters.test-support.ts';

// These tests run the functions of docs/links.md, and compare the results with the SDK's.

const run = promisify(execFile);
const base = 'https://captures.example.com';
const secret = 'lnk_secret';
const parameters: Record<string, string> = {
  url: "https://a.example/?x=1&y=ä b'()*!~",
  full_page: 'true',
  ttl_s: '60',
};
const expected = await signLink({ baseUrl: base, keyId: 'key_1', secret, file: 'screenshot.png', parameters });

const args = `"${base}", "key_1", "${secret}", "screenshot.png"`;
const pairs = (pair: (name: string, value: string) => string) =>
  Object.entries(parameters)
    .map(([name, value]) => pair(JSON.stringify(name), JSON.stringify(value)))
    .join(', ');

/** The call of each language's function. */
const calls: Record<string, { extension: string; call: string }> = {
  node: {
    extension: 'mjs',
    call: `console.log(signLink(${args}, {${pairs((name, value) => `${name}: ${value}`)}}));`,
  },
  python: { extension: 'py', call: `print(sign_link(${args}, {${pairs((name, value) => `${name}: ${value}`)}}))` },
  php: {
    extension: 'php',
    call: `echo sign_link(${args}, [${pairs((name, value) => `${name} => ${value}`)}]), "\\n";`,
  },
  go: {
    extension: 'go',
    call: `func main() { println(signLink(${args}, map[string]string{${pairs((name, value) => `${name}: ${value}`)}})) }`,
  },
  ruby: { extension: 'rb', call: `puts sign_link(${args}, {${pairs((name, value) => `${name} => ${value}`)}})` },
};

const guide = readFileSync(path.join(repositoryRoot, 'docs', 'links.md'), 'utf8');

it.each(Object.entries(calls))('the function in %s signs as the SDK does', async (language, { extension, call }) => {
  const interpreter = interpreters[language]!;
  await needInterpreter(interpreter);
  const source = readFileSync(path.join(repositoryRoot, 'docs', 'examples', 'links', `sign.${extension}`), 'utf8');
  expect(guide).toContain(source.trim());
  const folder = makeTestFolder('links');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `sign.${extension}`);
  writeFileSync(file, `${source}\n${call}\n`);
  const [command, ...before] = interpreter.command;
  const { stdout, stderr } = await run(command, [...before, file]);
  // Go's println writes to standard error.
  expect((stdout || stderr).trim()).toBe(expected);
});
