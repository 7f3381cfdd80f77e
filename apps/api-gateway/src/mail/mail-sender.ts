import { claimSignInLink } from '@capture/database/accounts/claim-sign-in-link';
import {
  endSignInLink,
  insertSignInLink,
  newLinkToken,
  postponeSignInLink,
} from '@capture/database/accounts/sign-in-links';
import type { Database } from '@capture/database/database';
import { Counter, type Registry } from '@capture/runtime/metrics/metrics';
import { every } from '@capture/runtime/service/every';
import type { Logger } from '@capture/runtime/service/log';
import { MailError, type MailServer } from '@capture/runtime/smtp';
import { withTimeout } from '@capture/runtime/timeout';
import { signInMail } from './sign-in-mail.ts';

type MailCounter = ReturnType<typeof createMailCounter>;

/** Each series exists from the start: a series that appears with its first failure shows no increase. */
export function createMailCounter(registry: Registry) {
  const mails = new Counter({
    name: 'capture_mails_total',
    help: 'Mails offered to the mail server, by outcome. `failed`: tried again, up to eight times.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['sent', 'refused', 'unclear', 'failed']) mails.inc({ outcome }, 0);
  return mails;
}

/** Sends sign-in links. Requests are rows in Postgres, so that every gateway can send them and none is lost. */
export interface MailSender {
  /** Records a request for a link and returns; the mail is sent afterwards. */
  requestLink(email: string): Promise<void>;
  /** Waits some seconds for mails that are being sent; another process, or the next start, sends the remaining mails. */
  stop(): Promise<void>;
}

/**
 * Delays before further tries of a mail that the server did not accept, seconds. After three quarters of an hour the owner no
 * longer waits for the mail and may request another.
 */
const retryDelaysS = [10, 30, 60, 120, 300, 600, 900, 900];

/** How often the sender looks for requests that wait for another try, or whose process was lost, milliseconds. */
const pollMs = 5_000;

/** Mails that one process sends at the same time: enough for a busy hour, and few for a mail server. */
const atOnce = 4;

/** A stopping process has more time than this, milliseconds. */
const stopMs = 10_000;

export interface MailSenderOptions {
  database: Pick<Database, 'pool'>;
  server: MailServer;
  /** The sender's address, which may include a name. */
  from: string;
  publicUrl: string;
  mails: MailCounter;
  log: Logger;
  /** Delays before further tries, seconds. */
  retries?: readonly number[];
}

export function startMailSender(options: MailSenderOptions): MailSender {
  const { database, mails, log } = options;
  let stopped = false;
  const sending = new Set<Promise<void>>();
  /** Sends all due mails one after the other, unless enough loops already run: one slow mail must not delay the rest. */
  const wake = async () => {
    if (sending.size >= atOnce) return;
    const work = (async () => {
      while (!stopped && (await sendNext(options, (outcome) => mails.inc({ outcome }))));
    })();
    sending.add(work);
    await work.finally(() => sending.delete(work));
  };
  const warn = (error: unknown) => log.warn({ err: error }, 'could not send mails; will retry');
  // The poll does not await the mails, because a slow mail must not delay the next poll.
  const stopPolling = every(pollMs, 'sending mails', log, async () => void wake().catch(warn));
  return {
    async requestLink(email) {
      await insertSignInLink(database.pool, email);
      void wake().catch(warn);
    },
    async stop() {
      stopped = true;
      await stopPolling();
      await withTimeout(stopMs, Promise.allSettled(sending), () => undefined);
    },
  };
}

type Outcome = 'sent' | 'refused' | 'unclear' | 'failed';

/** @returns whether a mail was due. */
async function sendNext(
  { database: { pool }, server, from, publicUrl, log, retries = retryDelaysS }: MailSenderOptions,
  note: (outcome: Outcome) => void,
): Promise<boolean> {
  const { token, hash } = newLinkToken();
  const claimed = await claimSignInLink(pool, hash);
  if (claimed === 'none') return false;
  if (claimed === 'dropped') return true;
  if (claimed === 'too many') {
    log.warn('a sign-in link was not sent: too many within an hour to addresses that never used one');
    return true;
  }
  const { id, accountId, email, tries } = claimed;
  const facts = { link_id: id, account_id: accountId, tries };
  try {
    const outcome = await server.send({ from, to: email, ...signInMail(publicUrl, token) });
    // The mail may have arrived, and the address may be a stranger's: a retry could send a second mail to it.
    await endSignInLink(pool, id);
    note(outcome);
    log.info({ ...facts, outcome }, 'sent a sign-in link');
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const retryAfterS = retries[tries - 1] ?? null;
    await postponeSignInLink(pool, id, retryAfterS);
    note('failed');
    log.warn({ ...facts, reason: error.message, retry_after_s: retryAfterS }, 'could not send a sign-in link');
  }
  return true;
}
