import { openPageServer } from '@capture/testing/network/page-server';
import { openAll } from '@capture/testing/processes/open-all';
import type { ServiceName } from '@capture/testing/processes/platform';
import type { Servers } from '../platform/servers.ts';

export const serviceNames = ['api-gateway', 'capture-worker', 'webhook-dispatcher'] as const satisfies ServiceName[];

/** The application name of the connection that exports records. */
export const exportName = 'backup';

export function named(databaseUrl: string, application: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', application);
  return url.href;
}

/** Starts the services, whose statements are distinguished by application name, and serves a page for them to capture. */
export function startServices(servers: Servers) {
  return openAll(async (onClose) => {
    const pages = await openPageServer({ '/': '<title>A page</title><p>Nothing but text.</p>' });
    onClose(() => pages.close());
    const start = async (name: ServiceName) => {
      const service = await servers.start(name, { DATABASE_URL: named(servers.databaseUrl, name) });
      onClose(() => service.process.stop());
      return service;
    };
    const [gateway] = await Promise.all([start('api-gateway'), start('capture-worker'), start('webhook-dispatcher')]);
    return { gatewayUrl: gateway.url, pageUrl: pages.url('/') };
  });
}
