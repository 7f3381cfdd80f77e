import { type Authority, createAuthority, createCertificate } from '@capture/testing/certificates';
import { startServer } from '../server-process.ts';

export interface Counts {
  hits: number;
  /** Different events. */
  distinct: number;
  /** From the first request to the last, milliseconds. */
  ms: number;
}

/** Somebody who takes webhooks. */
export interface Receiver {
  pid: number;
  port: number;
  authority: Authority;
  count(): Promise<Counts>;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const authority = await createAuthority();
  const { pid, port, ask, close } = await startServer(
    'receiver',
    [],
    await createCertificate(authority, 'trusted', []),
  );
  return { pid, port, authority, count: () => ask<Counts>({}), close };
}
