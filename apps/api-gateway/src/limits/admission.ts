import { ApiError, type ErrorCode } from '@capture/contract/errors';
import type { ContractForm } from '@capture/contract/forms/forms';
import { FairShare } from '@capture/runtime/fair-share';
import type { Exchange } from '../http/exchange.ts';

/** How much work of one kind this process does at once. */
export interface Limit {
  /** The limited work, in the words of docs/limits.md. */
  what: string;
  /** Concurrent work of one owner: an account, a client address, a key or a file. Owners never delay each other. */
  perAccount: number;
  /** How much work of all accounts is in progress at once; unlimited if omitted. */
  atOnce?: number;
  /** How the gateway handles further work of the account: the work waits for its turn, or is refused at once. */
  beyond: 'waits' | Refusal;
}

interface Refusal {
  code: ErrorCode;
  message: string;
  /** When the client may try again. */
  retryAfterS(form: ContractForm): number;
}

const tooMany: Refusal = {
  code: 'RATE_LIMITED',
  message: 'Too many requests are in progress for this account or IP address.',
  // A second does not slow down a client that sends this much at once.
  retryAfterS: () => 1,
};

const tooManyStreams: Refusal = {
  code: 'RATE_LIMITED',
  message: 'Too many event streams of this account are open.',
  // One stream may have ended by then.
  retryAfterS: () => 5,
};

const tooManyTests: Refusal = {
  code: 'OVERLOADED',
  message: 'Too many connectivity tests are running. Try again later.',
  // The running tests have ended by then.
  retryAfterS: ({ delivery }) => Math.ceil(delivery.timeoutMs / 1_000),
};

/**
 * The most work of one account that waits for one limit; more is refused. The number is the largest burst of a plan, whose
 * requests must not be refused. Waiting work holds a socket and a body of up to 64 kB; larger bodies wait in their sockets.
 */
const waitingAtMost = 1_000;

/** Limits of all work that one account, or one client, can make a gateway do at once. */
export const limits = {
  // A request holds this slot from its parsed body until it only waits. Eight are fewer than half of the 20 connections, so
  // that other accounts never wait for a connection.
  request: { what: 'requests handled, look-ups included', perAccount: 8, beyond: 'waits' },
  // The account's requests do not wait for viewers of its links.
  viewer: { what: 'requests without a key for its links, or for one file', perAccount: 4, beyond: 'waits' },
  client: { what: 'sign-ins and invalid keys or links of one client address', perAccount: 4, beyond: 'waits' },
  // Transactions of one account lock the same rows.
  transaction: { what: 'transactions', perAccount: 4, beyond: 'waits' },
  // Only the first of several equal requests may hold a slot or a connection.
  idempotencyKey: { what: 'requests with one `Idempotency-Key`', perAccount: 1, beyond: 'waits' },
  // A replay may take many seconds, and the database takes seconds for the items of twenty batches.
  replay: { what: 'replays of deliveries', perAccount: 1, beyond: 'waits' },
  cancellation: { what: 'cancellations of batches', perAccount: 1, beyond: 'waits' },

  // 8 bodies of 5 MB are 40 MB. Further bodies stay in their sockets.
  largeBody: { what: 'bodies over 64 kB received', perAccount: 8, beyond: 'waits' },
  unknownBody: { what: 'large bodies of one client address that hold the key', perAccount: 8, beyond: 'waits' },
  // Parsing a body, and reading and writing a large record, occupy the event loop that all accounts share.
  parsing: { what: 'bodies over 64 kB, batches over 4 kB, and Markdown parsed', perAccount: 1, beyond: 'waits' },
  largeResponse: { what: 'responses over 64 kB in JSON', perAccount: 1, beyond: 'waits' },
  // Each request writes 16 files at once.
  htmlWrite: { what: 'requests whose `html` is stored', perAccount: 4, beyond: 'waits' },

  // One account gets a quarter of the waiting requests that a process holds. Requests hold these slots for long.
  captureWait: { what: 'requests that wait for captures', perAccount: 500, beyond: tooMany },
  // An image has up to 32 MB, and cutting it into parts keeps a core busy.
  agentFile: { what: 'files loaded for results of agents (MCP)', perAccount: 2, beyond: 'waits' },
  // Each result takes some 10 MB until the client has read it.
  agentResult: { what: 'results of agents with files that are not read yet', perAccount: 16, beyond: 'waits' },
  // Each response has up to 6 MB until the client has read it, or is disconnected because it reads too slowly.
  unreadResponse: { what: 'responses over 64 kB in JSON that are not read yet', perAccount: 16, beyond: 'waits' },
  // A client may read slowly, and a process has 1,000 connections to a bucket.
  linkFile: { what: 'files sent by its links', perAccount: 250, beyond: 'waits' },
  resultFile: { what: 'files sent as the responses to its captures', perAccount: 250, beyond: 'waits' },
  // Clients read archives and streams for long, so further requests would wait too long.
  archive: { what: 'archives of batches', perAccount: 8, beyond: tooMany },
  // A dashboard has fewer tabs; each stream is a connection and a row of a query.
  batchStream: { what: 'event streams of batches', perAccount: 20, beyond: tooManyStreams },
  // Each test may hold a connection until the receiver's timeout.
  receiverTest: { what: 'tests of webhook receivers', perAccount: 5, atOnce: 100, beyond: tooManyTests },
} satisfies Record<string, Limit>;

export type Limited = keyof typeof limits;

export class Admission {
  readonly #form: ContractForm;
  readonly #limits: Record<Limited, Limit>;
  readonly #shares: ReadonlyMap<string, FairShare>;

  /** @param changes other limits, for tests. */
  constructor(form: ContractForm, changes: Partial<Record<Limited, Partial<Limit>>> = {}) {
    this.#form = form;
    const changed = Object.entries<Limit>(limits).map(([limited, limit]) => {
      return [limited, { ...limit, ...changes[limited as Limited] }] as const;
    });
    this.#limits = Object.fromEntries(changed) as Record<Limited, Limit>;
    this.#shares = new Map(
      changed.map(([limited, { perAccount, atOnce }]) => {
        return [limited, new FairShare({ perOwner: perAccount, ...(atOnce !== undefined && { atOnce }) })];
      }),
    );
  }

  /**
   * Waits for the account's turn.
   *
   * @param owner the account, or the other owner that the limit applies to.
   * @returns a function that the caller must call when the work has ended; further calls do nothing.
   * @throws {ApiError} the limit's refusal, or `RATE_LIMITED` if too much work of the account is waiting.
   */
  async take(limited: Limited, owner: string): Promise<() => void> {
    const { beyond } = this.#limits[limited];
    const share = this.#shares.get(limited) as FairShare;
    const isFull = beyond === 'waits' ? share.waitingOf(owner) >= waitingAtMost : !share.hasRoomFor(owner);
    if (!isFull) return share.take(owner);
    const { code, message, retryAfterS } = beyond === 'waits' ? tooMany : beyond;
    throw new ApiError(code, message, { retryAfterS: retryAfterS(this.#form) });
  }

  /** Runs `work` in the owner's turn. */
  async run<T>(limited: Limited, owner: string, work: () => Promise<T>): Promise<T> {
    const release = await this.take(limited, owner);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Waits for the turn of the account's request, which releases its slot when it only waits. */
  async hold(limited: Limited, owner: string, exchange: Pick<Exchange, 'onlyWaits'>): Promise<void> {
    const releaseOthers = exchange.onlyWaits;
    const release = await this.take(limited, owner);
    exchange.onlyWaits = () => {
      release();
      releaseOthers();
    };
  }
}
