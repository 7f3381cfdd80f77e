import type { CaptureRecord } from '@capture/contract/api/responses';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { contentTypesOf } from '../captures/file-headers.ts';
import type { Api } from './call-api.ts';

/** Captures that a client lists. */
const listed = 20;

/** A larger file is better downloaded by its link, bytes. */
const largestFile = 4 * 1024 * 1024;

/** Stored captures as resources: `capture://req_…` is the file. */
export function addCapturesResource(server: McpServer, api: Api): void {
  const list = async () => {
    const { captures } = await api.json<{ captures: CaptureRecord[] }>(
      'GET',
      `/api/v1/captures?status=completed&limit=${listed}`,
    );
    return {
      resources: captures
        .filter(({ file_url }) => file_url !== null)
        .map(({ request_id, type, url, format, created_at }) => ({
          uri: `capture://${request_id}`,
          name: url,
          description: `${type} of ${created_at}`,
          mimeType: contentTypesOf([String(format)])[0] ?? '',
        })),
    };
  };
  server.registerResource(
    'capture',
    new ResourceTemplate('capture://{request_id}', { list }),
    { title: 'Captures', description: 'The files of stored captures, by their request_id.' },
    async (uri, { request_id }) => {
      const path = `/api/v1/captures/${encodeURIComponent(String(request_id))}`;
      const { file_url, file_size, status } = await api.json<CaptureRecord>('GET', path);
      if (file_url === null) throw new Error(`${request_id} has no file: it is ${status}, or the file was deleted`);
      if (Number(file_size) > largestFile) {
        throw new Error(`${request_id} has ${file_size} bytes, more than a resource may have: download ${file_url}`);
      }
      const { bytes, type } = await api.file(file_url);
      return { contents: [{ uri: uri.href, mimeType: type, blob: bytes.toString('base64') }] };
    },
  );
}
