import { chmodSync, rmSync } from 'node:fs';
import { openPageServer } from '@capture/testing/page-server';
import { makeRunFolder } from '@capture/testing/test-run';
import type { PlatformService, Servers } from '../platform/servers.ts';

/** The services of a platform, whose statements are told apart by the names of their connections. */
export interface Services {
  gatewayUrl: string;
  pageUrl: string;
  close(): Promise<void>;
}

export const serviceNames = [
  'api-gateway',
  'capture-worker',
  'webhook-dispatcher',
] as const satisfies PlatformService[];

/** The address of a database under which connections have a name. */
export function named(databaseUrl: string, application: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', application);
  return url.href;
}

/** Starts a gateway, a worker and a dispatcher on filled servers, and a page that they may capture. */
export async function startServices(
  servers: Servers,
  options: { chromiumPath: string; authorityFile: string },
): Promise<Services> {
  const closings: (() => unknown)[] = [];
  const close = async () => {
    for (let next = closings.pop(); next; next = closings.pop()) await next();
  };
  try {
    const pages = await openPageServer({ '/': '<title>A page</title><p>Nothing but text.</p>' });
    closings.push(() => pages.close());
    // The worker's browser runs as somebody else, to whom the folders of a run are closed.
    const place = makeRunFolder();
    chmodSync(place, 0o755);
    closings.push(() => rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
    const started = await Promise.all(
      serviceNames.map(async (name) => {
        const service = await servers.start(name, {
          DATABASE_URL: named(servers.databaseUrl, name),
          NODE_EXTRA_CA_CERTS: options.authorityFile,
          LOG_LEVEL: 'warn',
          TMPDIR: place,
          PUPPETEER_EXECUTABLE_PATH: options.chromiumPath,
          CAPTURE_CONCURRENCY: '2',
        });
        closings.push(() => service.stop());
        return service;
      }),
    );
    return { gatewayUrl: `http://127.0.0.1:${started[0]?.port}`, pageUrl: pages.url('/'), close };
  } catch (error) {
    await close();
    throw error;
  }
}
