import { hasQuery, type SampleRequest } from './sample-request.ts';

export function curl(request: SampleRequest): string {
  const { method, url, query, credential, body, output, file } = request;
  const parts = [`curl --fail-with-body ${quoted(url)}`];
  // curl itself chooses GET, and POST for `--json`.
  const implied = body === undefined ? 'GET' : 'POST';
  if (method !== implied) parts.push(`--request ${method}`);
  if (output === 'stream') parts.push('--no-buffer');
  if (credential) parts.push(`--header "${credential.header}: ${credential.prefix}$${credential.variable}"`);
  if (hasQuery(request)) parts.push('--get');
  for (const [name, value] of Object.entries(query)) parts.push(`--data-urlencode ${quoted(`${name}=${value}`)}`);
  if (body !== undefined) parts.push(`--json ${quoted(JSON.stringify(body, null, 2))}`);
  if (output === 'file') parts.push(`--output ${file}`);
  return parts.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
