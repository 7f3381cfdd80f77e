import { doubleQuoted, literal, type Notation } from './literal.ts';
import { hasQuery, type Output, type SampleRequest, timeoutS } from './sample-request.ts';

const string = (text: string) => doubleQuoted(text).replaceAll('#', '\\#');

const notation: Notation = {
  string,
  key: (name) => (/^[a-z_]\w*$/i.test(name) ? `${name}: ` : `${string(name)}: `),
  object: ['{', '}'],
  array: ['[', ']'],
  trailing: '',
  indent: '  ',
  padding: ' ',
  true: 'true',
  false: 'false',
  null: 'nil',
};

const uses: Record<Exclude<Output, 'stream'>, (file: string) => string> = {
  json: () => 'puts JSON.parse(response.body)',
  text: () => 'puts response.body',
  file: (file) => `File.binwrite("${file}", response.body)`,
  nothing: () => 'puts response.code',
};

export function ruby(request: SampleRequest): string {
  const { method, url, query, credential, body, output, file } = request;
  const needsJson = body !== undefined || output === 'json';
  const connection = `Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", read_timeout: ${timeoutS})`;
  const lines = [
    ...(needsJson ? ['require "json"'] : []),
    'require "net/http"',
    '',
    `uri = URI(${string(url)})`,
    ...(hasQuery(request) ? [`uri.query = URI.encode_www_form(${literal(query, notation)})`] : []),
    `request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)`,
    ...(credential ? [`request["${credential.header}"] = ${environment(credential)}`] : []),
    ...(body === undefined
      ? []
      : ['request["Content-Type"] = "application/json"', `request.body = JSON.generate(${literal(body, notation)})`]),
    ...(output === 'stream'
      ? [
          `${connection} do |http|`,
          '  http.request(request) do |response|',
          '    abort response.read_body unless response.is_a?(Net::HTTPSuccess)',
          '    response.read_body { |part| print part }',
          '  end',
          'end',
        ]
      : [
          `response = ${connection} do |http|`,
          '  http.request(request)',
          'end',
          'abort response.body unless response.is_a?(Net::HTTPSuccess)',
          uses[output](file),
        ]),
  ];
  return lines.join('\n');
}

function environment({ prefix, variable }: NonNullable<SampleRequest['credential']>): string {
  const value = `ENV.fetch("${variable}")`;
  return prefix === '' ? value : `"${prefix}#{${value}}"`;
}
