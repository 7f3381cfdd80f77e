import { beforeEach, describe, expect, it } from '@jest/globals';
import { month, newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { changeAccount, deleteAccount } from './accounts.ts';
import { claimSignInLink } from './claim-sign-in-link.ts';
import { areAccepted, findAccountOfSession } from './find-key.ts';
import {
  deleteOldSignInLinks,
  endSignInLink,
  hashLinkToken,
  insertSignInLink,
  newLinkToken,
  postponeSignInLink,
} from './sign-in-links.ts';
import { useSignInLink } from './use-sign-in-link.ts';

const database = await useTestDatabase();
const { pool, prisma } = database;
beforeEach(() => prisma.signInLink.deleteMany());

async function account() {
  const { id } = await newAccount(database);
  return prisma.account.findUniqueOrThrow({ where: { id } });
}

/** Claims mails until none is due. @returns the token of each mail, with its address. */
async function claimAll(unverifiedAtMost?: number): Promise<{ id: string; email: string; token: string }[]> {
  const claimed: { id: string; email: string; token: string }[] = [];
  for (;;) {
    const { token, hash } = newLinkToken();
    const link = await claimSignInLink(pool, hash, unverifiedAtMost);
    if (link === 'none') return claimed;
    if (typeof link === 'object') claimed.push({ id: link.id, email: link.email, token });
  }
}

/** Requests a link and claims its mail as if to send it. @returns the token; null if no mail is to be sent. */
async function send(email: string, unverifiedAtMost?: number): Promise<string | null> {
  await insertSignInLink(pool, email);
  const [claimed] = await claimAll(unverifiedAtMost);
  if (claimed) await endSignInLink(pool, claimed.id);
  return claimed?.token ?? null;
}

const use = (token: string | null) => {
  const createdAt = new Date();
  return useSignInLink(pool, hashLinkToken(token ?? ''), { createdAt, expiresAt: new Date(Date.now() + 60_000) });
};

async function opened(token: string | null) {
  const session = await use(token);
  if (session === null || session === 'suspended') throw new Error(`the link is ${session ?? 'not valid'}`);
  return session;
}

const holds = async ({ sessionId, accountId }: { sessionId: string; accountId: string }) =>
  (await findAccountOfSession(pool, { id: sessionId, accountId }, month)) !== null;

const age = (hours: number) =>
  pool.query('UPDATE sign_in_link SET requested_at = requested_at - make_interval(hours => $1)', [hours]);

describe('a request', () => {
  it('of an unknown, suspended or deleted address is deleted, and no mail is sent', async () => {
    const [suspended, deleted] = [await account(), await account()];
    await changeAccount(database, suspended.id, { status: 'suspended' });
    await deleteAccount(database, deleted.id);
    for (const email of ['unknown@example.com', suspended.email, deleted.email]) expect(await send(email)).toBeNull();
    expect(await prisma.signInLink.count()).toBe(0);
  });

  it('sends one mail in 24 hours to an address until its owner has used a link, then five an hour', async () => {
    const { email, id } = await account();
    const first = await send(email);
    expect(await send(email)).toBeNull();
    await age(23);
    expect(await send(email)).toBeNull();
    await age(2);
    const second = await send(email);
    expect(second).not.toBeNull();
    expect((await prisma.account.findUniqueOrThrow({ where: { id } })).emailVerifiedAt).toBeNull();
    await opened(second);
    expect((await prisma.account.findUniqueOrThrow({ where: { id } })).emailVerifiedAt).not.toBeNull();
    // `second` counts too, so the address gets four more mails.
    const sent = [];
    for (let i = 0; i < 6; i++) sent.push((await send(email)) !== null);
    expect(sent).toEqual([true, true, true, true, false, false]);
    await age(1);
    expect(await send(email)).not.toBeNull();
    expect(first).not.toBeNull();
  });

  it('sends one mail, however many requests arrive and however many processes send', async () => {
    const { email } = await account();
    await Promise.all(Array.from({ length: 8 }, () => insertSignInLink(pool, email)));
    const claimed = await Promise.all([claimAll(), claimAll(), claimAll(), claimAll()]);
    expect(claimed.flat()).toHaveLength(1);
  });

  it('is claimed again when its process is lost, or after its delay, with a new token', async () => {
    const { email } = await account();
    await insertSignInLink(pool, email);
    const [first] = await claimAll();
    expect(await claimAll()).toEqual([]);
    await pool.query(`UPDATE sign_in_link SET due_at = now() - interval '1 second'`);
    const [second] = await claimAll();
    expect(second?.id).toBe(first?.id);
    await postponeSignInLink(pool, second?.id ?? '', 60);
    expect(await claimAll()).toEqual([]);
    expect(await use(first?.token ?? '')).toBeNull();
    await opened(second?.token ?? '');
  });

  it('limits the mails per hour to addresses that never used a link, and never to others', async () => {
    const known = await account();
    await opened(await send(known.email));
    const strangers = [await account(), await account(), await account()];
    const sent = [];
    for (const { email } of strangers) sent.push((await send(email, 2)) !== null);
    expect(sent).toEqual([true, true, false]);
    expect(await send(known.email, 2)).not.toBeNull();
    await age(1);
    expect(await send(strangers[2]?.email ?? '', 2)).not.toBeNull();
  });

  it('that could not be sent at all does not count', async () => {
    const { email } = await account();
    await insertSignInLink(pool, email);
    const [claimed] = await claimAll();
    await postponeSignInLink(pool, claimed?.id ?? '', null);
    expect(await send(email)).not.toBeNull();
  });

  it('is deleted after a day, not before', async () => {
    const { email } = await account();
    await send(email);
    expect(await deleteOldSignInLinks(pool)).toBe(0);
    await age(26);
    expect(await deleteOldSignInLinks(pool)).toBe(1);
  });
});

describe('a token', () => {
  it('is stored as its hash only, and opens a session of its account once', async () => {
    const { email, id } = await account();
    const token = (await send(email)) ?? '';
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const { rows } = await pool.query('SELECT l::text FROM sign_in_link l');
    expect(JSON.stringify(rows)).not.toContain(token);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => use(token)));
    const [session] = outcomes.filter((outcome) => outcome !== null);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(4);
    expect(session).toMatchObject({ accountId: id });
    expect(await use(token)).toBeNull();
  });

  it('stops working after its time, and when another link of the account is used', async () => {
    const { email } = await account();
    const late = await send(email);
    await pool.query(`UPDATE sign_in_link SET expires_at = now() - interval '1 second'`);
    expect(await use(late)).toBeNull();
    await age(25);
    await opened(await send(email));
    const [one, other] = [await send(email), await send(email)];
    await opened(other);
    expect(await use(one)).toBeNull();
  });

  it('of a suspended account works when it is active again', async () => {
    const { email, id } = await account();
    const token = await send(email);
    await changeAccount(database, id, { status: 'suspended' });
    expect(await use(token)).toBe('suspended');
    await changeAccount(database, id, { status: 'active' });
    await opened(token);
  });

  it('of two links used at the same time never blocks the other', async () => {
    const { email } = await account();
    await opened(await send(email));
    for (let i = 0; i < 2; i++) {
      const tokens = [await send(email), await send(email)];
      expect((await Promise.all(tokens.map(use))).some((outcome) => outcome !== null)).toBe(true);
    }
  });
});

describe('the session of a link', () => {
  it('is its account’s only, and ends with the next link, a suspension, or the account', async () => {
    const [mine, other] = [await account(), await account()];
    const first = await opened(await send(mine.email));
    expect(await holds(first)).toBe(true);
    expect(await holds({ ...first, accountId: other.id })).toBe(false);
    const second = await opened(await send(mine.email));
    expect([await holds(first), await holds(second)]).toEqual([false, true]);
    const caller = { accountId: mine.id, keyId: null, sessionId: second.sessionId };
    expect(await areAccepted(pool, [caller, { ...caller, sessionId: first.sessionId }])).toEqual([true, false]);
    await changeAccount(database, mine.id, { status: 'suspended' });
    expect(await areAccepted(pool, [caller])).toEqual([false]);
    await changeAccount(database, mine.id, { status: 'active' });
    expect(await holds(second)).toBe(false);
    const third = await opened(await send(mine.email));
    await deleteAccount(database, mine.id);
    expect(await holds(third)).toBe(false);
  });
});
