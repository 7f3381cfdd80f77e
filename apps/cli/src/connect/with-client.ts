import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { CaptureClient } from '@capture-platform/sdk/client';
import { findCheckout } from '../embedded/find-checkout.ts';
import { openLocalAccount } from '../embedded/local-account.ts';
import { startPlatformProcess } from '../embedded/platform-process.ts';
import type { Session } from '../session.ts';
import type { ConnectFlags } from './connect-flags.ts';
import { findServer, type Server } from './find-server.ts';

/** The client waits for as long as the server asks, because a list may hit its plan's rate limit many times. */
const maxRetries = 8;

/** Runs `work` with a client of the chosen platform. */
export function withClient<Result>(
  flags: ConnectFlags,
  session: Session,
  work: (client: CaptureClient) => Promise<Result>,
): Promise<Result> {
  return withServer(flags, session, (server) => work(new CaptureClient({ ...server, maxRetries })));
}

/** Runs `work` with the chosen platform, or with an embedded platform that runs for the time of the call. */
export async function withServer<Result>(
  flags: ConnectFlags,
  session: Session,
  work: (server: Server) => Promise<Result>,
): Promise<Result> {
  const server = findServer(flags, session.env);
  if (server) return work(server);

  const checkout = findCheckout(flags.platform ?? (session.env.CAPTURE_PLATFORM || undefined));
  const dataDir = path.resolve(
    flags.dataDir ?? (session.env.CAPTURE_DATA_DIR || defaultDataDir(checkout, session.env)),
  );
  session.report('starting a platform for this command');
  const platform = await startPlatformProcess({ ...session, checkout, dataDir, allow: flags.allow ?? [] });
  session.onSecondInterrupt(platform.kill);
  try {
    const apiKey = await openLocalAccount(platform.baseUrl, dataDir);
    return await work({ baseUrl: platform.baseUrl, apiKey });
  } finally {
    session.report('stopping the platform');
    await platform.stop();
  }
}

/** Returns a folder in the user's cache. Each checkout has its own, because the database must match its version. */
function defaultDataDir(checkout: string, env: NodeJS.ProcessEnv): string {
  const cache = env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  const id = createHash('sha256').update(checkout).digest('hex').slice(0, 8);
  return path.join(cache, 'capture', `platform-${id}`);
}
