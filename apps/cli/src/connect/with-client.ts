import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { CaptureClient } from '@capture/sdk/client';
import { findCheckout } from '../embedded/find-checkout.ts';
import { openLocalAccount } from '../embedded/local-account.ts';
import { startPlatformProcess } from '../embedded/platform-process.ts';
import type { Session } from '../session.ts';
import type { ConnectFlags } from './connect-flags.ts';
import { findServer, type Server } from './find-server.ts';

/** A list may meet its plan's rate again and again: what the server asks to wait for is waited for. */
const maxRetries = 8;

/**
 * Does something with a client of the platform that is named; or of an embedded one, which is up for as long as that takes.
 */
export async function withClient<Done>(
  flags: ConnectFlags,
  session: Session,
  work: (client: CaptureClient) => Promise<Done>,
): Promise<Done> {
  const server = findServer(flags, session.env);
  if (server) return work(clientOf(server));

  const checkout = findCheckout(flags.platform ?? (session.env.CAPTURE_PLATFORM || undefined));
  const dataDir = path.resolve(flags.dataDir ?? (session.env.CAPTURE_DATA_DIR || usualDataDir(checkout, session.env)));
  session.report('starting a platform for this call');
  const platform = await startPlatformProcess({ ...session, checkout, dataDir, allow: flags.allow ?? [] });
  session.onSecondInterrupt(platform.kill);
  try {
    const apiKey = await openLocalAccount(platform.baseUrl, dataDir);
    return await work(clientOf({ baseUrl: platform.baseUrl, apiKey }));
  } finally {
    session.report('stopping the platform');
    await platform.stop();
  }
}

function clientOf(server: Server): CaptureClient {
  return new CaptureClient({ ...server, maxRetries });
}

/** In the user's cache folder; each checkout has its own, as its database fits its version. */
function usualDataDir(checkout: string, env: NodeJS.ProcessEnv): string {
  const cache = env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  const id = createHash('sha256').update(checkout).digest('hex').slice(0, 8);
  return path.join(cache, 'capture', `platform-${id}`);
}
