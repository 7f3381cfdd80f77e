import { forms } from '@capture/contract/forms/forms';
import { loopbackHosts, oddUrls, privateHosts } from '@capture/testing/network/hostile-addresses';
import { type NameServer, openNameServer } from '@capture/testing/network/name-server';
import { openVictim, type Victim } from '@capture/testing/network/victim';
import { afterEach, describe, expect, it } from '@jest/globals';
import { deliver } from './deliver.ts';
import {
  claimAll,
  closeAll,
  closeLater,
  deliverDependencies,
  newAccount,
  openSender,
  openTestDatabase,
  recordEvent,
} from './deliveries.test-support.ts';

afterEach(closeAll);

const form = forms.B;
/** A second address of this machine, which represents a public address. No process listens there. */
const publicAddress = '127.0.0.2';

/** Delivers one event to each URL, and counts the outcomes. */
async function deliverTo(
  urls: readonly string[],
  allow: string,
  resolver: NameServer,
): Promise<Record<string, number>> {
  const database = await openTestDatabase();
  const sender = openSender(allow, { resolve: (name) => resolver.resolve(name) });
  const { dependencies } = deliverDependencies(form, database, sender);
  const accountId = await newAccount(database, 'whsec_QUJD');
  for (const webhookUrl of urls) await recordEvent(database, form, { accountId, webhookUrl });
  for (;;) {
    const claims = await claimAll(database, form);
    if (claims.length === 0) break;
    await Promise.all(claims.map((claim) => deliver(dependencies, claim)));
  }
  const { rows } = await database.pool.query(
    'SELECT coalesce(error, status::text) AS outcome, count(*)::int FROM delivery_attempt GROUP BY 1',
  );
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
}

async function open(
  addresses: (name: string, time: number) => readonly string[],
): Promise<[Victim, NameServer, number]> {
  const victim = closeLater(await openVictim(['receiver']));
  const resolver = closeLater(await openNameServer(addresses));
  return [victim, resolver, victim.port('receiver')];
}

describe('a delivery to a forbidden receiver', () => {
  const names: Record<string, readonly string[]> = {
    'private.test': ['127.0.0.1'],
    'mapped.test': ['::ffff:127.0.0.1'],
    'mixed.test': [publicAddress, '127.0.0.1'],
    'both-families.test': [publicAddress, '::1'],
  };

  it('is blocked without a connection, and connects where an allow rule permits it', async () => {
    const [victim, resolver, port] = await open((name) => names[name] ?? []);
    const reachable = [...loopbackHosts, ...Object.keys(names)].map((host) => `https://${host}:${port}/`);
    const urls = [...reachable, ...privateHosts.map((host) => `https://${host}:${port}/`), ...oddUrls('https', port)];
    const outcomes = await deliverTo(urls, `${publicAddress}/32`, resolver);
    expect(outcomes).toEqual({ blocked: urls.length });
    expect(await victim.hits()).toEqual([]);

    const itself = `0.0.0.0/32:${port},[::/128]:${port}`;
    const allowed = await deliverTo(reachable, [`${publicAddress}/32`, victim.allow, itself].join(), resolver);
    // The victim does not speak TLS.
    expect(allowed).toEqual({ tls: reachable.length });
    expect(await victim.hits()).toEqual(['receiver']);
  });

  it('is blocked when its name is rebound to a private address', async () => {
    const [victim, resolver, port] = await open((_, time) => [time % 2 === 0 ? publicAddress : '127.0.0.1']);
    const urls = Array.from({ length: 100 }, (_, index) => `https://rebind-${index}.test:${port}/`);
    const outcomes = await deliverTo([...urls, ...urls], `${publicAddress}/32`, resolver);
    expect(outcomes).toEqual({ refused: 100, blocked: 100 });
    expect(await victim.hits()).toEqual([]);
  });
});
