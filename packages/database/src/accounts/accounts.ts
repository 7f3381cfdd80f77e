import type { Database } from '../database.ts';
import { databaseNow } from '../database-clock.ts';
import { isUniqueViolation } from '../prisma-errors.ts';
import { type IssuedKey, newKey } from './keys.ts';

type Prisma = Pick<Database, 'prisma'>;

export interface NewAccount {
  id: string;
  /** The email address, trimmed and in lower case. */
  email: string;
  /** The signing secret, encrypted for this account (`signingSecretOf`). */
  signingSecret: string;
  createdAt: Date;
  /** The plan's name. By default the account gets the deployment's plan for new accounts. */
  plan?: string;
}

/** Creates an account with its first key, in one transaction. @returns null if the email address is already registered. */
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

/** An account as its owner and the operator see it. No query returns deleted accounts. */
export interface AccountRow {
  id: string;
  email: string;
  plan: string;
  status: 'active' | 'suspended';
  createdAt: Date;
  /** The units of quota used in the requested month. */
  used: number;
  reserved: number;
}

/** @param month the month (`YYYY-MM`) whose usage is read. */
export async function findAccount({ prisma }: Prisma, accountId: string, month: string): Promise<AccountRow | null> {
  const account = await prisma.account.findUnique({
    where: { id: accountId, deletedAt: null },
    select: withUsageOf(month),
  });
  return account && accountRow(account);
}

/**
 * Reads one page of accounts, newest first.
 *
 * @param page.search matches a part of the email address, or the whole id.
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

export async function findEmails({ prisma }: Prisma, accountIds: readonly string[]): Promise<Map<string, string>> {
  const accounts = await prisma.account.findMany({
    where: { id: { in: [...new Set(accountIds)] } },
    select: { id: true, email: true },
  });
  return new Map(accounts.map(({ id, email }) => [id, email]));
}

/** Prisma does not escape `%` and `_`, so Postgres would treat them as wildcards. */
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
 * Changes an account's plan or status, effective with the next request. Reactivating a suspended account ends the sessions that
 * were opened before, so their owners have to sign in again.
 *
 * @returns false if the account does not exist.
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
 * Marks an account as deleted by changing its row. From the next statement on, the API refuses its keys and sessions, its links
 * return nothing, no worker claims its captures, no dispatcher sends its deliveries, and its email address can register again.
 * The account may leave millions of rows, which `removeAccount` removes.
 *
 * @returns false if the account does not exist.
 */
export async function deleteAccount({ prisma }: Prisma, accountId: string): Promise<boolean> {
  const { count } = await prisma.account.updateMany({
    where: { id: accountId, deletedAt: null },
    // A gateway of the previous version checks only the status.
    data: { deletedAt: databaseNow(), status: 'suspended', email: `deleted ${accountId}` },
  });
  return count === 1;
}

/** Lists deleted accounts that still have rows. The account that was deleted first comes first. */
export async function listDeletedAccounts({ prisma }: Prisma): Promise<string[]> {
  const accounts = await prisma.account.findMany({
    where: { deletedAt: { not: null } },
    orderBy: { deletedAt: 'asc' },
    take: 1_000,
    select: { id: true },
  });
  return accounts.map(({ id }) => id);
}
