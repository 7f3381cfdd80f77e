import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Authority, type CertificateKind, createCertificate } from '@capture/testing/certificates';
import { makeTestFolder } from '@capture/testing/test-run';
import { type Behaviour, pathFor } from '../receiver/behaviour.ts';
import type { Counts, Hit, ReceiverOrder } from '../receiver/hit.ts';
import { startChild } from './child.ts';

/** The secrets that the receiver knows. */
export const signingSecrets = ['first', 'second', 'third', 'fourth'].map(
  (name) => `whsec_${Buffer.from(`the ${name} secret of the fault tests`).toString('base64')}`,
);

/** Signs everything in these tests, whoever's it is, unless a case rotates it. */
export const signingSecret = signingSecrets[0]!;

/** The receiver's process, as the harness sees it. */
export interface Receiver {
  /** A URL of its first port that is treated so; without a behaviour a 200 at once. */
  url(behaviour?: Partial<Behaviour>, label?: string): string;
  /** Opens more ports: to the platform each is a receiver of its own. */
  listen(servers: number, certificate?: CertificateKind): Promise<number[]>;
  count(): Promise<Counts>;
  heal(): Promise<void>;
  /** All requests that are over, in the order in which they were. */
  hits(): Promise<Hit[]>;
  close(): Promise<void>;
}

export async function openReceiver(authority: Authority): Promise<Receiver> {
  const ledgerFile = path.join(makeTestFolder('receiver'), 'ledger.jsonl');
  const child = startChild<ReceiverOrder>('receiver', [ledgerFile, ...signingSecrets]);
  const listen = async (servers: number, certificate: CertificateKind = 'trusted') => {
    const tls = await createCertificate(authority, certificate, []);
    return child.ask<number[]>({ type: 'listen', servers, tls });
  };
  const [port] = await listen(1);
  return {
    url: (behaviour, label) => `https://127.0.0.1:${port}${pathFor(behaviour, label)}`,
    listen,
    count: () => child.ask<Counts>({ type: 'count' }),
    heal: () => child.ask<void>({ type: 'heal' }),
    async hits() {
      await child.ask({ type: 'flush' });
      return readFileSync(ledgerFile, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line): Hit => JSON.parse(line));
    },
    close: () => child.kill(),
  };
}
