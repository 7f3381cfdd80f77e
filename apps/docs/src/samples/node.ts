import { literal, type Notation, singleQuoted } from './literal.ts';
import { hasQuery, type Output, type SampleRequest } from './sample-request.ts';

const notation: Notation = {
  string: singleQuoted,
  key: (name) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : singleQuoted(name)}: `,
  object: ['{', '}'],
  array: ['[', ']'],
  trailing: ',',
  indent: '  ',
  padding: ' ',
  true: 'true',
  false: 'false',
  null: 'null',
};

const uses: Record<Output, (file: string) => string> = {
  json: () => 'console.log(await response.json());',
  text: () => 'console.log(await response.text());',
  stream: () =>
    'for await (const text of response.body.pipeThrough(new TextDecoderStream())) {\n  process.stdout.write(text);\n}',
  file: (file) => `await writeFile(${singleQuoted(file)}, response.body);`,
  nothing: () => 'console.log(response.status);',
};

export function node(request: SampleRequest): string {
  const { method, url, query, credential, body, output, file } = request;
  const headers = [
    ...(credential ? [`'${credential.header}': ${environment(credential)},`] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json',"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: {\n${headers.map((line) => `    ${line}`).join('\n')}\n  },`] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, notation, '  ')}),`]),
  ];
  const target = hasQuery(request) ? `\`${url}?\${query}\`` : singleQuoted(url);
  const lines = [
    ...(output === 'file' ? ["import { writeFile } from 'node:fs/promises';", ''] : []),
    ...(hasQuery(request) ? [`const query = new URLSearchParams(${literal(query, notation)});`] : []),
    options.length > 0
      ? `const response = await fetch(${target}, {\n${options.join('\n')}\n});`
      : `const response = await fetch(${target});`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample’s own template.
    'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);',
    uses[output](file),
  ];
  return lines.join('\n');
}

function environment({ prefix, variable }: NonNullable<SampleRequest['credential']>): string {
  return prefix === '' ? `process.env.${variable}` : `\`${prefix}\${process.env.${variable}}\``;
}
