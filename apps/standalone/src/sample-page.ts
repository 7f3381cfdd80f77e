// Serves one page, so that a first capture works without the internet. It is a separate process without secrets, because its port
// is the only port of this machine that `npm start` lets captures reach.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { readConfig } from '@capture/runtime/config';
import { runService } from '@capture/runtime/service/service';
import { serviceSettings } from '@capture/runtime/service-settings';
import { samplePage } from './sample-page-html.ts';

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'X-Content-Type-Options': 'nosniff',
};

runService({
  name: 'sample-page',
  async start({ lifecycle }) {
    const { SAMPLE_PAGE_PORT: port } = readConfig(serviceSettings['sample-page'], process.env);
    const server = createServer((request, response) => {
      const isPage = request.url?.split('?')[0] === '/' && (request.method === 'GET' || request.method === 'HEAD');
      // The server does not read request bodies, so it closes the connection.
      response.setHeader('Connection', 'close');
      if (isPage) response.writeHead(200, headers).end(samplePage);
      else response.writeHead(404, headers).end('There is one page here: /');
    });
    server.maxConnections = 100;
    server.requestTimeout = 10_000;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    lifecycle.closing('sample page', () => {
      server.closeAllConnections();
      server.close();
    });
  },
});
