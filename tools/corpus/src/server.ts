import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import type { Report } from '@capture/provisioning/provisioning-error';
import { installPackages } from '@capture/testing/install-packages';
import { listen } from '@capture/testing/network/listen';
import { startChildProgram } from '@capture/testing/processes/child-program';
import { libraries } from './libraries.ts';
import { behaviours } from './server/behaviours.ts';
import { serveFolder } from './server/files.ts';
import { acceptSocket } from './server/socket.ts';
import { type Behaviour, plainHeaders } from './server/visit.ts';

/** The server of the corpus, on 127.0.0.1. Its other name `localhost` is another site for a browser. */
export interface CorpusServer {
  port: number;
  /** The URL of a path: `/pages/…`, `/lib/<package>/<file>`, or a behaviour. */
  url(path: string): string;
  close(): Promise<void>;
}

export const pagesFolder = path.join(import.meta.dirname, '..', 'pages');

const urlOn = (port: number) => (page: string) => `http://127.0.0.1:${port}${page}`;

/**
 * Serves the corpus from this process.
 *
 * @param installed the folder whose `node_modules` holds the libraries. Without it `/lib/…` is a 404.
 */
export async function openServer(installed?: string): Promise<CorpusServer> {
  const folders: Record<string, Behaviour> = {
    pages: serveFolder(pagesFolder, '/pages/'),
    ...(installed !== undefined && { lib: serveFolder(path.join(installed, 'node_modules'), '/lib/') }),
  };
  let origins = { self: '', cross: '' };
  const server = createServer(async (request, response) => {
    // An unread body would keep the connection open.
    request.resume();
    try {
      const url = new URL(request.url ?? '/', origins.self);
      const [, first = ''] = url.pathname.split('/');
      const behaviour = folders[first] ?? (Object.hasOwn(behaviours, first) ? behaviours[first] : undefined);
      if (behaviour) await behaviour({ url, request, response, origins });
      else response.writeHead(404, plainHeaders).end();
    } catch (error) {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, plainHeaders).end(String(error));
    }
  });
  server.keepAliveTimeout = 60_000;
  server.on('upgrade', acceptSocket);
  const { port, close } = await listen(server, 'corpus server');
  origins = { self: `http://127.0.0.1:${port}`, cross: `http://localhost:${port}` };
  return { port, url: urlOn(port), close };
}

/** Installs the libraries if any page needs them. @returns the folder that holds their `node_modules`. */
export async function installLibraries(report: Report): Promise<string | undefined> {
  return Object.keys(libraries).length > 0 ? installPackages('corpus', libraries, report) : undefined;
}

/** The built program. Unlike Jest, a child process cannot run the source. */
const program = path.join(import.meta.dirname, '..', 'dist', 'serve.js');

/** Serves the corpus from a separate process, so that the measuring tool does not delay the server. */
export async function startServer(installed?: string): Promise<CorpusServer> {
  if (!existsSync(program)) throw new Error(`${program} is missing: build the package first`);
  const { send, kill } = startChildProgram('corpus server', program, installed === undefined ? [] : [installed]);
  const port = await send<number>('listen');
  return { port, url: urlOn(port), close: kill };
}
