import type { CaptureRecord } from '@capture/contract/api/responses';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { contentTypesOf } from '../captures/file-headers.ts';
import { type Api, ApiFailure } from './call-api.ts';
import { furtherOf, outputUri } from './further-outputs.ts';

/** Number of captures that a client lists. */
const listed = 20;

/** The largest file of a resource, bytes. A client should download a larger file by its link. */
const largestFile = 4 * 1024 * 1024;

/** Adds stored captures as resources: `capture://req_…` is the file, and `capture://req_…/name` the file of a further output. */
export function addCapturesResource(server: McpServer, api: Api): void {
  const list = async () => {
    const { captures } = await api.json<{ captures: CaptureRecord[] }>(
      'GET',
      `/api/v1/captures?status=completed&limit=${listed}`,
    );
    return {
      resources: captures
        .filter(({ file_url }) => file_url !== null)
        .flatMap((record) => {
          const { request_id, type, url, format, created_at } = record;
          const own = {
            uri: `capture://${request_id}`,
            name: url,
            description: `${type} of ${created_at}`,
            mimeType: mimeTypeOf(String(format)),
          };
          const further = (furtherOf(record) ?? []).map((output) => ({
            uri: outputUri(request_id, output.name),
            name: `${url}, ${output.name}`,
            description: `${output.kind} of ${created_at}`,
            mimeType: mimeTypeOf(output.format),
          }));
          return [own, ...further];
        }),
    };
  };
  const recordOf = async (id: string) => {
    try {
      return await api.json<CaptureRecord>('GET', `/api/v1/captures/${encodeURIComponent(id)}`);
    } catch (error) {
      throw error instanceof ApiFailure && error.code === 'NOT_FOUND' ? notFound(error.message) : error;
    }
  };
  const read = async (uri: URL, what: string, file: { file_url?: string | null; file_size: number | null }) => {
    const { file_url, file_size } = file;
    if (!file_url) throw notFound(`${what} has no file: it did not complete, or its file was deleted`);
    if (Number(file_size) > largestFile) {
      throw new Error(`${what} has ${file_size} bytes, more than a resource may have: download ${file_url}`);
    }
    return api.withFile(file_url, (bytes, type) => {
      const isText = /^text\/|^application\/json/.test(type);
      const content = isText ? { text: bytes.toString('utf8') } : { blob: bytes.toString('base64') };
      return { contents: [{ uri: uri.href, mimeType: type, ...content }] };
    });
  };
  server.registerResource(
    'output',
    new ResourceTemplate('capture://{request_id}/{name}', { list: undefined }),
    {
      title: 'Outputs',
      description: 'The further files of stored captures, by request_id and the name of the output.',
    },
    async (uri, { request_id, name }) => {
      const { outputs } = await recordOf(String(request_id));
      const output = outputs?.find((each) => each.name === name);
      if (!output) throw notFound(`${request_id} has no output ${name}`);
      return read(uri, `${request_id}/${name}`, output);
    },
  );
  server.registerResource(
    'capture',
    new ResourceTemplate('capture://{request_id}', { list }),
    { title: 'Captures', description: 'The files of stored captures, by their request_id.' },
    async (uri, { request_id }) => read(uri, String(request_id), await recordOf(String(request_id))),
  );
}

/** The protocol has this code for a resource that does not exist; the SDK has no name for it. */
const notFound = (message: string) => new McpError(-32_002, message);

const mimeTypeOf = (format: string) => contentTypesOf([format])[0] ?? '';
