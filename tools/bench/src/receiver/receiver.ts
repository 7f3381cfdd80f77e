import { type Authority, createAuthority, createCertificate } from '@capture/testing/network/certificates';
import { startChildProgram } from '@capture/testing/processes/child-program';
import { builtProgram } from '../built-program.ts';

export interface Counts {
  hits: number;
  /** Distinct events. */
  distinct: number;
  /** The time from the first request to the last, milliseconds. */
  ms: number;
}

export type ReceiverCommand = { type: 'listen'; tls: { key: string; cert: string } } | { type: 'count' };

/** A receiver of webhooks in a separate process. */
export interface Receiver {
  pid: number;
  port: number;
  authority: Authority;
  count(): Promise<Counts>;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const authority = await createAuthority();
  const { pid, send, kill } = startChildProgram<ReceiverCommand>('receiver', builtProgram('receiver'));
  const port = await send<number>({ type: 'listen', tls: await createCertificate(authority, 'trusted', []) });
  return { pid, port, authority, count: () => send<Counts>({ type: 'count' }), close: kill };
}
