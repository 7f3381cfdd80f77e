import type { Database } from '../database.ts';
import { databaseNow } from '../database-clock.ts';
import { isUniqueViolation } from '../prisma-errors.ts';
import { type IssuedKey, newKey } from './keys.ts';

type Prisma = Pick<Database, 'prisma'>;

export interface NewAccount {
  id: string;
  /** Trimmed and in lower case. */
  email: string;
  /** Encrypted for this account (`signingSecretOf`). */
  signingSecret: string;
  createdAt: Date;
  /** The deployment's plan of new accounts; `free` unless given. */
  plan?: string;
}

/**
 * Creates an account with its first key, both or neither.
 *
 * @returns null if the email address is already registered.
 */
export async function createAccount({ prisma }: Prisma, account: NewAccount): Promise<IssuedKey | null> {
  const { issued, row } = newKey({ name: null, createdAt: account.createdAt });
  const data = { plan: 'free', ...account, signingSecretCreatedAt: account.createdAt, keys: { create: row } };
  try {
    await prisma.account.create({ data, select: { id: true } });
    return issued;
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** An account as its owner and the operator see it. Deleted accounts are never returned. */
export interface AccountRow {
  id: string;
  email: string;
  plan: string;
  status: 'active' | 'suspended';
  createdAt: Date;
  /** Units of the requested month. */
  used: number;
  reserved: number;
}

/** @param month `YYYY-MM`, whose usage is read. */
export async function findAccount({ prisma }: Prisma, accountId: string, month: string): Promise<AccountRow | null> {
  const account = await prisma.account.findUnique({
    where: { id: accountId, deletedAt: null },
    select: withUsageOf(month),
  });
  return account && accountRow(account);
}

/**
 * One page of accounts, newest first.
 *
 * @param page.search part of the email address, or the id.
 * @param page.after the id of the last row of the previous page.
 */
export async function listAccounts(
  { prisma }: Prisma,
  page: { email: string | null; search?: string | null; after: string | null; limit: number; month: string },
): Promise<AccountRow[]> {
  const accounts = await prisma.account.findMany({
    where: {
      deletedAt: null,
      ...(page.email !== null && { email: page.email }),
      ...(page.search && { OR: [{ email: { contains: literal(page.search) } }, { id: page.search }] }),
      ...(page.after !== null && { id: { lt: page.after } }),
    },
    orderBy: { id: 'desc' },
    take: page.limit,
    select: withUsageOf(page.month),
  });
  return accounts.map(accountRow);
}

/** The addresses of accounts, by id. */
export async function findEmails({ prisma }: Prisma, accountIds: readonly string[]): Promise<Map<string, string>> {
  const accounts = await prisma.account.findMany({
    where: { id: { in: [...new Set(accountIds)] } },
    select: { id: true, email: true },
  });
  return new Map(accounts.map(({ id, email }) => [id, email]));
}

/** Prisma passes `%` and `_` on as wildcards. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');

const withUsageOf = (month: string) => ({
  id: true,
  email: true,
  plan: true,
  status: true,
  createdAt: true,
  usage: { where: { month }, select: { used: true, reserved: true } },
});

type AccountWithUsage = Omit<AccountRow, 'status' | 'used' | 'reserved'> & {
  status: string;
  usage: Pick<AccountRow, 'used' | 'reserved'>[];
};

function accountRow({ usage: [usage], status, ...account }: AccountWithUsage): AccountRow {
  return { ...account, status: status as AccountRow['status'], used: usage?.used ?? 0, reserved: usage?.reserved ?? 0 };
}

/**
 * Changes an account's plan or status, effective with the next request. Reactivating a suspended account ends the sessions
 * opened before: their owners sign in again.
 *
 * @returns false if there is no such account.
 */
export async function changeAccount(
  { prisma }: Prisma,
  accountId: string,
  { plan, status }: { plan?: string | undefined; status?: 'active' | 'suspended' | undefined },
): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    const [previous] = await tx.$queryRaw<{ status: string }[]>`
      SELECT status FROM account WHERE id = ${accountId} AND deleted_at IS NULL FOR NO KEY UPDATE`;
    if (!previous) return false;
    await tx.account.update({
      where: { id: accountId },
      data: { ...(plan && { plan }), ...(status && { status }) },
      select: { id: true },
    });
    if (previous.status === 'suspended' && status === 'active') {
      await tx.session.deleteMany({ where: { OR: [{ key: { accountId } }, { accountId }] } });
    }
    return true;
  });
}

/**
 * Deletes an account for everyone outside, in one row: from the next statement on its keys and sessions are refused, its
 * links return nothing, none of its captures is claimed, none of its deliveries is sent, and its email address can register
 * again. What it leaves behind may be millions of rows; `removeAccount` removes them.
 *
 * @returns false if there is no such account.
 */
export async function deleteAccount({ prisma }: Prisma, accountId: string): Promise<boolean> {
  const { count } = await prisma.account.updateMany({
    where: { id: accountId, deletedAt: null },
    // Suspended too: a gateway of the previous version only knows that.
    data: { deletedAt: databaseNow(), status: 'suspended', email: `deleted ${accountId}` },
  });
  return count === 1;
}

/** Deleted accounts that still have rows, the longest deleted first. */
export async function listDeletedAccounts({ prisma }: Prisma): Promise<string[]> {
  const accounts = await prisma.account.findMany({
    where: { deletedAt: { not: null } },
    orderBy: { deletedAt: 'asc' },
    take: 1_000,
    select: { id: true },
  });
  return accounts.map(({ id }) => id);
}
