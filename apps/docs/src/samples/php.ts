import { literal, type Notation, singleQuoted } from './literal.ts';
import { hasQuery, type Output, type SampleRequest, timeoutS } from './sample-request.ts';

const notation: Notation = {
  string: singleQuoted,
  key: (name) => `${singleQuoted(name)} => `,
  object: ['[', ']'],
  array: ['[', ']'],
  trailing: ',',
  indent: '    ',
  padding: '',
  true: 'true',
  false: 'false',
  null: 'null',
};

const uses: Record<Output, (file: string) => string[]> = {
  json: () => ['print_r(json_decode($response, true));'],
  text: () => ['echo $response;'],
  // curl prints the response as it arrives.
  stream: () => [],
  file: (file) => [`file_put_contents('${file}', $response);`],
  nothing: () => ['echo $status;'],
};

export function php(request: SampleRequest): string {
  const { method, url, query, credential, body, output, file } = request;
  const headers = [
    ...(credential ? [`'${credential.header}: ${credential.prefix}' . getenv('${credential.variable}'),`] : []),
    ...(body === undefined ? [] : ["'Content-Type: application/json',"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}',`]),
    ...(headers.length > 0
      ? [`CURLOPT_HTTPHEADER => [\n${headers.map((header) => `        ${header}`).join('\n')}\n    ],`]
      : []),
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${literal(body, notation, '    ')}),`]),
    ...(output === 'stream' ? [] : ['CURLOPT_RETURNTRANSFER => true,']),
    `CURLOPT_TIMEOUT => ${timeoutS},`,
  ];
  const lines = [
    '<?php',
    ...(hasQuery(request) ? [`$query = http_build_query(${literal(query, notation)});`] : []),
    `$request = curl_init(${hasQuery(request) ? `"${url}?$query"` : singleQuoted(url)});`,
    'curl_setopt_array($request, [',
    ...options.map((option) => `    ${option}`),
    ']);',
    '$response = curl_exec($request);',
    '$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);',
    'if ($response === false || $status >= 300) {',
    '    throw new RuntimeException(curl_error($request) ?: "$status: $response");',
    '}',
    ...uses[output](file),
  ];
  return lines.join('\n');
}
