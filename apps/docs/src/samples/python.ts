import { doubleQuoted, literal, type Notation } from './literal.ts';
import { hasQuery, type Output, type SampleRequest, timeoutS } from './sample-request.ts';

const notation: Notation = {
  string: doubleQuoted,
  key: (name) => `${doubleQuoted(name)}: `,
  object: ['{', '}'],
  array: ['[', ']'],
  trailing: ',',
  indent: '    ',
  padding: '',
  true: 'True',
  false: 'False',
  null: 'None',
};

const uses: Record<Output, (file: string) => string> = {
  json: () => 'print(response.json())',
  text: () => 'print(response.text)',
  stream: () => 'for line in response.iter_lines(decode_unicode=True):\n    print(line)',
  file: (file) => `with open("${file}", "wb") as file:\n    file.write(response.content)`,
  nothing: () => 'print(response.status_code)',
};

export function python(request: SampleRequest): string {
  const { method, url, query, credential, body, output, file } = request;
  const values = [
    doubleQuoted(url),
    ...(credential ? [`headers={"${credential.header}": ${environment(credential)}}`] : []),
    ...(hasQuery(request) ? [`params=${literal(query, notation, '    ')}`] : []),
    ...(body === undefined ? [] : [`json=${literal(body, notation, '    ')}`]),
    ...(output === 'stream' ? ['stream=True'] : []),
    `timeout=${timeoutS}`,
  ];
  const lines = [
    ...(credential ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...values.map((value) => `    ${value},`),
    ')',
    'if not response.ok:',
    '    raise SystemExit(response.text)',
    uses[output](file),
  ];
  return lines.join('\n');
}

function environment({ prefix, variable }: NonNullable<SampleRequest['credential']>): string {
  const value = `os.environ["${variable}"]`;
  return prefix === '' ? value : `"${prefix}" + ${value}`;
}
