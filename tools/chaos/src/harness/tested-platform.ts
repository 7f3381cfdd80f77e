import { type CaptureLedger, checkCaptures, type Explained } from './check-captures.ts';
import { checkDeliveries, type Expected, type Ledger } from './check-deliveries.ts';
import type { ApiResponse, Client, Submissions } from './client.ts';
import { noSubmissions, submitCapture } from './client.ts';
import type { Installation } from './installation.ts';
import { openPlatform, type Platform, type PlatformOptions } from './platform.ts';
import {
  addEventsOf,
  type Destination,
  nothingProduced,
  type Produced,
  produce,
  produceMany,
  warmUp,
} from './produce-events.ts';
import type { Servers } from './servers.ts';
import type { Gateway } from './services.ts';
import { type Settling, settleCaptures, settleDeliveries } from './settle.ts';
import { clientsFor, type Load, type Pace, submitLoad } from './submit-load.ts';

type Terms = Partial<Settling>;
type DeliveryTerms = Terms & Partial<Omit<Expected, 'produced'>>;
type UrlDestination = Destination & { webhookUrl: string };

/** A platform, with the work that its case submitted and produced, which is accounted for in the end. */
export interface TestedPlatform extends Platform {
  submissions: Submissions;
  produced: Produced;
  newAccounts(count: number): Promise<string[]>;
  /** Starts one process of each service. */
  startAll(): ReturnType<typeof startAll>;
  /** Submits a screenshot, asynchronously by default. */
  submit(
    gateway: Gateway,
    client: Client,
    options: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>;
  /** Submits captures at a rate, by as many clients as the rate needs. */
  submitLoad(load: Omit<Load, 'clients'>): Promise<void>;
  produce(destinationOf: (index: number) => Destination, pace: Omit<Pace, 'concurrency'>): Promise<void>;
  produceMany(destination: UrlDestination, count: number): Promise<void>;
  warmUp(destination: UrlDestination): Promise<void>;
  /** Counts rows. The statement continues with `FROM`. */
  count(from: string, values?: unknown[]): Promise<number>;
  settleCaptures(terms?: Terms): Promise<void>;
  settleDeliveries(terms?: Terms): Promise<void>;
  checkCaptures(explained?: Explained): Promise<CaptureLedger>;
  /** Checks the deliveries. By default, no duplicates are allowed. */
  checkDeliveries(expected?: Partial<Omit<Expected, 'produced'>>): Promise<Ledger>;
  /** Settles and checks the captures, the deliveries, or both with the events of the captures. */
  finishCaptures(explained?: Explained): Promise<CaptureLedger>;
  finishDeliveries(terms?: DeliveryTerms): Promise<Ledger>;
  finish(terms?: DeliveryTerms & { explained?: Explained }): Promise<Ledger & CaptureLedger>;
}

/** @param hurried see `settleCaptures` and `settleDeliveries`; @param lent see `openPlatform`. */
export async function openTestedPlatform(
  servers: Servers,
  hurried: boolean,
  options?: PlatformOptions,
  lent?: Installation,
): Promise<TestedPlatform> {
  const platform = await openPlatform(servers, options, lent);
  const submissions = noSubmissions();
  const produced = nothingProduced();
  const settle = {
    captures: (terms?: Terms) => settleCaptures(platform, { hurried, ...terms }),
    deliveries: (terms?: Terms) => settleDeliveries(platform, { hurried, ...terms }),
  };
  const check = {
    captures: (explained?: Explained) => checkCaptures(platform, submissions, explained),
    deliveries: ({ failing, duplicates = 0 }: Partial<Omit<Expected, 'produced'>> = {}) =>
      checkDeliveries(platform, { produced, duplicates, ...(failing && { failing }) }),
  };
  return Object.assign(platform, {
    submissions,
    produced,
    newAccounts: (count: number) => Promise.all(Array.from({ length: count }, () => platform.newAccount())),
    startAll: () => startAll(platform),
    submit: (gateway, client, ...request) => submitCapture(gateway, client, submissions, ...request),
    submitLoad: async (load) =>
      submitLoad(platform, submissions, { ...load, clients: await clientsFor(platform, load.ratePerS) }),
    produce: (destinationOf, pace) => produce(platform, destinationOf, produced, pace),
    produceMany: (destination, count) => produceMany(platform, destination, produced, count),
    warmUp: (destination) => warmUp(platform, destination, produced),
    async count(from, values) {
      const { rows } = await platform.database.pool.query(`SELECT count(*)::int AS count ${from}`, values);
      return rows[0].count;
    },
    settleCaptures: settle.captures,
    settleDeliveries: settle.deliveries,
    checkCaptures: check.captures,
    checkDeliveries: check.deliveries,
    async finishCaptures(explained) {
      await settle.captures();
      return check.captures(explained);
    },
    async finishDeliveries(terms) {
      await settle.deliveries(terms);
      return check.deliveries(terms);
    },
    async finish({ explained, ...terms } = {}) {
      await settle.captures(terms);
      await addEventsOf(platform, submissions, produced);
      await settle.deliveries(terms);
      const captures = await check.captures(explained);
      const events = await check.deliveries(terms);
      const faults = [...events.faults, ...captures.faults];
      return { ...events, ...captures, lost: events.lost + captures.lost, faults };
    },
  } satisfies Omit<TestedPlatform, keyof Platform>);
}

function startAll(platform: Platform) {
  return Promise.all([platform.startGateway(), platform.startWorker(), platform.startDispatcher()]);
}
