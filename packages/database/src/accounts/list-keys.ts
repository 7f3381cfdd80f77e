import type { Database } from '../database.ts';

/** An account's valid keys, newest first, as they may be shown. @param page.after the id of the last row before. */
export async function listKeys(
  { prisma }: Pick<Database, 'prisma'>,
  page: { accountId: string; after: string | null; limit: number; at: Date },
) {
  return prisma.apiKey.findMany({
    where: {
      accountId: page.accountId,
      OR: [{ expiresAt: null }, { expiresAt: { gt: page.at } }],
      ...(page.after !== null && { id: { lt: page.after } }),
    },
    orderBy: { id: 'desc' },
    take: page.limit,
    select: { id: true, name: true, prefix: true, lastFour: true, createdAt: true, lastUsedAt: true, expiresAt: true },
  });
}
