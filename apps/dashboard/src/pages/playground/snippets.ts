import { kindOf } from '../../captures/kinds.ts';
import type { Asked } from './form-link.ts';

export interface Snippet {
  language: string;
  code: string;
}

/** The same request in the words of three tools. The key is read from the environment: a program has it nowhere else. */
export function snippetsOf(asked: Asked, origin: string): Snippet[] {
  const { path } = kindOf(asked.type);
  const values = Object.fromEntries(Object.entries(asked.values).filter(([, value]) => value !== undefined));
  const request = { address: `${origin}${path}`, body: values, file: fileName(asked) };
  return [
    { language: 'curl', code: curl(request) },
    { language: 'Node', code: node(request) },
    { language: 'Python', code: python(request) },
  ];
}

interface SnippetRequest {
  address: string;
  body: object;
  file: string;
}

function fileName({ type, values }: Asked): string {
  if (values.async === true || values.response_type === 'json') return 'capture.json';
  if (type === 'pdf') return 'capture.pdf';
  return `capture.${values.format ?? 'png'}`;
}

/** A text as one word of a POSIX shell, whatever is in it. */
const shellWord = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ address, body, file }: SnippetRequest): string {
  return [
    `curl -fsS ${shellWord(address)}`,
    `-H "X-API-Key: $CAPTURE_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(JSON.stringify(body, null, 2))}`,
    `-o ${file}`,
  ].join(' \\\n  ');
}

function node({ address, body, file }: SnippetRequest): string {
  return `import { writeFile } from 'node:fs/promises';

const response = await fetch(${JSON.stringify(address)}, {
  method: 'POST',
  headers: { 'X-API-Key': process.env.CAPTURE_KEY, 'Content-Type': 'application/json' },
  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), '  ')}),
});
if (!response.ok) throw new Error((await response.json()).error_message);
await writeFile('${file}', Buffer.from(await response.arrayBuffer()));`;
}

function python({ address, body, file }: SnippetRequest): string {
  return `import os
import requests

response = requests.post(
    ${JSON.stringify(address)},
    headers={"X-API-Key": os.environ["CAPTURE_KEY"]},
    json=${indent(pythonLiteral(body), '    ')},
    timeout=180,
)
response.raise_for_status()
with open("${file}", "wb") as file:
    file.write(response.content)`;
}

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

/** JSON is Python but for three words. */
function pythonLiteral(value: unknown, depth = 0): string {
  const line = `\n${'    '.repeat(depth + 1)}`;
  const end = `\n${'    '.repeat(depth)}`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((entry) => pythonLiteral(entry, depth + 1)).join(', ')}]`;
  const entries = Object.entries(value).map(
    ([name, one]) => `${line}${JSON.stringify(name)}: ${pythonLiteral(one, depth + 1)},`,
  );
  return entries.length === 0 ? '{}' : `{${entries.join('')}${end}}`;
}
