import { doubleQuoted } from './literal.ts';
import { hasQuery, type Output, type SampleRequest } from './sample-request.ts';

const check = ['\tif err != nil {', '\t\tlog.Fatal(err)', '\t}'];

/** Copies the response to a writer. */
const copyTo = (writer: string) => [
  `\tif _, err := io.Copy(${writer}, response.Body); err != nil {`,
  '\t\tlog.Fatal(err)',
  '\t}',
];

const uses: Record<Output, (file: string) => string[]> = {
  json: () => copyTo('os.Stdout'),
  text: () => copyTo('os.Stdout'),
  stream: () => copyTo('os.Stdout'),
  file: (file) => [`\tfile, err := os.Create("${file}")`, ...check, '\tdefer file.Close()', ...copyTo('file')],
  nothing: () => ['\tfmt.Println(response.Status)'],
};

export function go(request: SampleRequest): string {
  const { method, url, query, credential, body, output, file } = request;
  const json = body === undefined ? undefined : JSON.stringify(body, null, 2).replaceAll('\n', '\n\t');
  if (json?.includes('`')) throw new Error(`the example of ${method} ${url} has a backtick, which ends a raw string`);
  const values = Object.entries(query).map(([name, value]) => `${doubleQuoted(name)}: {${doubleQuoted(value)}}`);
  const target = hasQuery(request) ? `${doubleQuoted(`${url}?`)}+query.Encode()` : doubleQuoted(url);
  const main = [
    ...(hasQuery(request) ? [`\tquery := url.Values{${values.join(', ')}}`] : []),
    ...(json === undefined ? [] : [`\tbody := strings.NewReader(\`${json}\`)`]),
    `\trequest, err := http.NewRequest("${method}", ${target}, ${json === undefined ? 'nil' : 'body'})`,
    ...check,
    ...(credential ? [`\trequest.Header.Set("${credential.header}", ${environment(credential)})`] : []),
    ...(json === undefined ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...check,
    '\tdefer response.Body.Close()',
    '\tif response.StatusCode >= 300 {',
    '\t\tproblem, _ := io.ReadAll(response.Body)',
    '\t\tlog.Fatal(string(problem))',
    '\t}',
    ...uses[output](file),
  ];
  const text = main.join('\n');
  const imports = Object.entries(packages)
    .filter(([, use]) => text.includes(use))
    .map(([name]) => `\t"${name}"`);
  return ['package main', '', 'import (', ...imports, ')', '', 'func main() {', text, '}'].join('\n');
}

/** Packages, with the beginning of code that uses them. */
const packages: Readonly<Record<string, string>> = {
  fmt: 'fmt.',
  io: 'io.',
  log: 'log.',
  'net/http': 'http.NewRequest',
  'net/url': 'url.Values',
  os: 'os.',
  strings: 'strings.NewReader',
};

function environment({ prefix, variable }: NonNullable<SampleRequest['credential']>): string {
  const value = `os.Getenv("${variable}")`;
  return prefix === '' ? value : `"${prefix}"+${value}`;
}
