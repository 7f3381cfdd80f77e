import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { FairShare } from '@capture/runtime/fair-share';
import { untilAborted } from '@capture/runtime/timeout';
import { type AddressRules, checkAddress } from './address-rules.ts';
import { parseHost } from './host.ts';
import { EgressRefusal } from './refusal.ts';

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** For whom a name is looked up. */
export interface Asker {
  /** A capture or an account; without an owner the look-up starts at once, and nothing bounds it. */
  owner?: unknown;
  /** The owner's look-ups at once; unlimited if omitted. */
  most?: number;
  /** Rejects the look-up if it has not started yet. */
  signal?: AbortSignal;
}

/** Returns all addresses of a name, in the order to try them. Rejects or returns an empty list if the name has no address. */
export type Resolve = (hostname: string, asker?: Asker) => Promise<readonly Address[]>;

export interface LookUpOptions {
  /** The resolver; by default the system's, which also reads `/etc/hosts` and knows container names. */
  resolve?: Resolve;
  /** The timeout, milliseconds; 5,000 by default, glibc's timeout for one name server. */
  lookUpTimeoutMs?: number;
  /** Stops waiting for the resolver; the promise then rejects as `dns`. */
  signal?: AbortSignal;
}

/** The checked addresses of a host; `address` and `family` belong to the first address. */
export interface LookedUp extends Address {
  readonly addresses: readonly Address[];
}

/** Node's threads that may resolve names: half of the pool (4 by default; `npm start` and the images set 128). */
const resolvingThreads = (Number(process.env.UV_THREADPOOL_SIZE) || 4) / 2;

/** Look-ups of all captures and accounts at once. The other threads are left to this process: Postgres, Redis, S3. */
const sharedLookUps = Math.max(1, Math.floor((resolvingThreads * 3) / 4));

/**
 * Bounds the look-ups that all owners run at once, and shares them fairly. The system's resolver holds a thread for each, for
 * 10 s and more if a name server does not respond, and no look-up that has started can be stopped.
 */
export function shareLookups<Result>(
  lookUp: (hostname: string) => Promise<Result>,
  { atOnce }: { atOnce: number },
): (hostname: string, asker?: Asker) => Promise<Result> {
  const share = new FairShare<unknown>({ atOnce });
  return async (hostname, { owner, most, signal } = {}) => {
    if (owner === undefined) return lookUp(hostname);
    return share.run(owner, () => lookUp(hostname), {
      ...(most !== undefined && { perOwner: most }),
      ...(signal && { signal }),
    });
  };
}

export const systemResolve: Resolve = shareLookups(
  (hostname: string): Promise<readonly Address[]> => dns.lookup(hostname, { all: true, verbatim: true }),
  { atOnce: sharedLookUps },
);

const DEFAULT_LOOK_UP_TIMEOUT_MS = 5_000;

/**
 * Resolves a host once and checks every address; one blocked address blocks the name. The caller must dial the returned
 * addresses, because another look-up could return different addresses.
 *
 * @throws {EgressRefusal} with reason `blocked` or `dns`
 */
export async function lookUp(
  rules: AddressRules,
  hostname: string,
  port: number,
  options: LookUpOptions = {},
): Promise<LookedUp> {
  const host = parseHost(hostname);
  if (!host) throw new EgressRefusal('dns', { hostname, port });
  const target = { hostname: host.hostname, port };
  const open = (address: string) => checkAddress(rules, address, port) === 'allowed';

  if (host.kind === 'addresses') {
    const openAddresses = host.addresses.filter(open).map((address) => ({ address, family: isIP(address) }));
    return first(openAddresses) ?? refuse('blocked', target);
  }
  const addresses = await resolveInTime(target, options);
  if (!addresses.every(({ address }) => open(address))) throw new EgressRefusal('blocked', target);
  return first(addresses) ?? refuse('dns', target);
}

async function resolveInTime(
  target: { hostname: string; port: number },
  { resolve = systemResolve, lookUpTimeoutMs = DEFAULT_LOOK_UP_TIMEOUT_MS, signal }: LookUpOptions,
): Promise<readonly Address[]> {
  const waiting = new AbortController();
  const stop = () => waiting.abort();
  let lookUpTimedOut = false;
  const timer = setTimeout(() => {
    lookUpTimedOut = true;
    stop();
  }, lookUpTimeoutMs);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    return await untilAborted(waiting.signal, resolve(target.hostname, { signal: waiting.signal }));
  } catch (cause) {
    throw new EgressRefusal('dns', target, { cause, lookUpTimedOut });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function first(addresses: readonly Address[]): LookedUp | null {
  const [head] = addresses;
  return head ? { ...head, addresses } : null;
}

function refuse(reason: 'blocked' | 'dns', target: { hostname: string; port: number }): never {
  throw new EgressRefusal(reason, target);
}
