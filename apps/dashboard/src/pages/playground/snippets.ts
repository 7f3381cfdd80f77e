import { kindOf } from '../../captures/kinds.ts';
import type { FormState } from './form-link.ts';

export interface Snippet {
  language: string;
  /** The tool or language that runs the snippet. */
  title: string;
  code: string;
}

/**
 * Writes the request for three tools. Programs should keep the key in the environment, from which the code reads it.
 *
 * @param apiKey a key that the command puts into the environment.
 */
export function snippetsOf(form: FormState, origin: string, apiKey?: string): Snippet[] {
  const { path } = kindOf(form.type);
  const values = Object.fromEntries(Object.entries(form.values).filter(([, value]) => value !== undefined));
  // Only the record has links to all files.
  const hasOutputs = Array.isArray(values.outputs) && values.outputs.length > 0 && values.async !== true;
  const body = hasOutputs ? { ...values, response_type: 'json' } : values;
  const file = fileName({ ...form, values: body });
  const request = { url: `${origin}${path}`, body, file, hasOutputs };
  return [
    {
      language: 'curl',
      title: 'Terminal',
      code: (apiKey === undefined ? '' : `export CAPTURE_API_KEY=${apiKey}\n\n`) + curl(request),
    },
    { language: 'Node', title: 'capture.mjs', code: node(request) },
    { language: 'Python', title: 'capture.py', code: python(request) },
  ];
}

interface SnippetRequest {
  url: string;
  body: object;
  file: string;
  /** Whether the response is a record of several files. */
  hasOutputs: boolean;
}

const extensions: Readonly<Record<string, string>> = { markdown: 'md', html: 'html', metadata: 'json', links: 'json' };

function fileName({ type, values }: FormState): string {
  if (values.async === true || values.response_type === 'json') return 'capture.json';
  if (type === 'pdf') return 'capture.pdf';
  if (type === 'content') return `capture.${extensions[String(values.format ?? 'markdown')] ?? 'txt'}`;
  return `capture.${values.format ?? 'png'}`;
}

/** Quotes text as one word of a POSIX shell. */
const shellWord = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ url, body, file }: SnippetRequest): string {
  return [
    `curl -fsS ${shellWord(url)}`,
    `-H "X-API-Key: $CAPTURE_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(JSON.stringify(body, null, 2))}`,
    `-o ${file}`,
  ].join(' \\\n  ');
}

function node({ url, body, file, hasOutputs }: SnippetRequest): string {
  return `import { writeFile } from 'node:fs/promises';

const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { 'X-API-Key': process.env.CAPTURE_API_KEY, 'Content-Type': 'application/json' },
  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), '  ')}),
});
if (!response.ok) throw new Error((await response.json()).error_message);
${
  hasOutputs
    ? `const { outputs } = await response.json();
for (const { name, format, file_url } of outputs) {
  const file = await fetch(file_url);
  await writeFile(\`\${name}.\${format}\`, Buffer.from(await file.arrayBuffer()));
}`
    : `await writeFile('${file}', Buffer.from(await response.arrayBuffer()));`
}`;
}

function python({ url, body, file, hasOutputs }: SnippetRequest): string {
  return `import os
import requests

response = requests.post(
    ${JSON.stringify(url)},
    headers={"X-API-Key": os.environ["CAPTURE_API_KEY"]},
    json=${indent(pythonLiteral(body), '    ')},
    timeout=180,
)
response.raise_for_status()
${
  hasOutputs
    ? `for output in response.json()["outputs"]:
    with open(f"{output['name']}.{output['format']}", "wb") as file:
        file.write(requests.get(output["file_url"], timeout=60).content)`
    : `with open("${file}", "wb") as file:
    file.write(response.content)`
}`;
}

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

/** Writes a Python literal: JSON with three other words. */
function pythonLiteral(value: unknown, depth = 0): string {
  const line = `\n${'    '.repeat(depth + 1)}`;
  const end = `\n${'    '.repeat(depth)}`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((entry) => pythonLiteral(entry, depth + 1)).join(', ')}]`;
  const entries = Object.entries(value).map(
    ([name, entry]) => `${line}${JSON.stringify(name)}: ${pythonLiteral(entry, depth + 1)},`,
  );
  return entries.length === 0 ? '{}' : `{${entries.join('')}${end}}`;
}
