import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { noteOpen } from '@capture/testing/open-resources';
import type { Output } from './sample-request.ts';

export interface Recorded {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

const responses: Record<Output, { status: number; type?: string; body: string }> = {
  json: { status: 200, type: 'application/json', body: '{"response":"as expected"}' },
  text: { status: 200, type: 'text/plain', body: 'as expected' },
  stream: { status: 200, type: 'text/event-stream', body: 'data: as expected\n\n' },
  file: { status: 200, type: 'image/png', body: 'as expected' },
  nothing: { status: 204, body: '' },
};

/** Starts a server that keeps requests by the first part of their path, which names the sample. */
export async function startRecorder() {
  const requests = new Map<string, Recorded>();
  const outputs = new Map<string, Output>();
  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://recorder');
    const [, name = ''] = url.pathname.split('/');
    requests.set(name, { method: req.method ?? '', url, headers: req.headers, body: await text(req) });
    const { status, type, body } = responses[outputs.get(name) ?? 'json'];
    res.writeHead(status, type === undefined ? {} : { 'Content-Type': type });
    res.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  const closed = noteOpen('recorder of samples', close);
  return {
    /** Returns the URL of a sample's server, which responds with this kind of output. */
    urlFor(name: string, output: Output): string {
      outputs.set(name, output);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
    },
    requestOf: (name: string) => requests.get(name),
    async close() {
      closed();
      server.closeAllConnections();
      await close();
    },
  };
}

export type Recorder = Awaited<ReturnType<typeof startRecorder>>;
