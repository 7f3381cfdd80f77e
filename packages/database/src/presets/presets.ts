import type { FoundPreset } from '@capture/contract/options/preset-options';
import { decryptSecretOptions, encryptSecretOptions } from '../captures/secret-options.ts';
import { visibleOptions } from '../captures/stored-options.ts';
import type { Database } from '../database.ts';
import type { Encryptor } from '../encryption.ts';
import { Prisma } from '../generated/client.ts';
import { newId } from '../ids.ts';

type Client = Pick<Database, 'prisma'>;

/** The most presets of an account: one for each place that uses the service differently. */
export const presetsAtMost = 100;

/** The newest versions of a preset that are kept. Links name a version for years, but few are made after each change. */
export const versionsKept = 50;

/** The number of deleted presets of an account whose last version is remembered, so that no link's `shop@3` shows other options. */
export const deletedAtMost = 1_000;

/** The row that a deleted preset leaves: its last version, without options. */
const isDeleted = { latest: false, options: { equals: Prisma.JsonNull } };

/** A version of a preset as its account sees it, with masked secrets. */
export interface StoredPreset extends FoundPreset {
  id: string;
  createdAt: Date;
}

const shown = { id: true, name: true, version: true, options: true, createdAt: true } as const;

type Row = Omit<StoredPreset, 'options'> & { options: Prisma.JsonValue };

/** The column has the type JSON, but only objects are ever written. */
const readOptions = (row: Pick<Row, 'options'>) => row.options as Record<string, unknown>;

const storedPreset = (row: Row): StoredPreset => ({ ...row, options: visibleOptions(readOptions(row)) });

/**
 * Stores options as the next version of a preset, and deletes versions that are too old.
 *
 * @returns null if the account has reached its limit of presets.
 */
export async function putPreset(
  { prisma }: Client,
  encryptor: Encryptor,
  preset: { accountId: string; name: string; options: Record<string, unknown>; createdAt: Date },
): Promise<StoredPreset | null> {
  const { accountId, name, createdAt } = preset;
  return prisma.$transaction(async (tx) => {
    // This is the weakest lock that two changes cannot share: captures that refer to the account can still be inserted.
    await tx.$queryRaw`SELECT 1 FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`;
    const newest = await tx.preset.findFirst({
      where: { accountId, name },
      orderBy: { version: 'desc' },
      select: { version: true, latest: true },
    });
    if (!newest?.latest && (await tx.preset.count({ where: { accountId, latest: true } })) >= presetsAtMost)
      return null;
    const version = (newest?.version ?? 0) + 1;
    await tx.preset.deleteMany({ where: { accountId, name, version: { lte: version - versionsKept } } });
    await tx.preset.deleteMany({ where: { accountId, name, ...isDeleted } });
    await tx.preset.updateMany({ where: { accountId, name, version: version - 1 }, data: { latest: false } });
    const id = newId('pre', createdAt);
    const options = encryptSecretOptions(encryptor, id, preset.options) as Prisma.InputJsonObject;
    return storedPreset(
      await tx.preset.create({
        data: { id, accountId, name, version, latest: true, options, createdAt },
        select: shown,
      }),
    );
  });
}

/** Finds a version of a preset, or its newest version. @returns null if the account has none. */
export async function findPreset(
  { prisma }: Client,
  preset: { accountId: string; name: string; version: number | null },
): Promise<StoredPreset | null> {
  const { accountId, name, version } = preset;
  const row = await prisma.preset.findFirst({
    where: { accountId, name, ...(version !== null && { version }), NOT: isDeleted },
    orderBy: { version: 'desc' },
    select: shown,
  });
  return row && storedPreset(row);
}

/** Reads one page of an account's presets, the last changed first. @param page.after the id of the last row of the previous page. */
export async function listPresets(
  { prisma }: Client,
  { accountId, after, limit }: { accountId: string; after: string | null; limit: number },
): Promise<StoredPreset[]> {
  const rows = await prisma.preset.findMany({
    where: { accountId, latest: true, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: 'desc' },
    take: limit,
    select: shown,
  });
  return rows.map(storedPreset);
}

/** Deletes all versions of a preset. A new preset of this name continues their count. @returns whether the account had the preset. */
export async function deletePreset(
  { prisma }: Client,
  { accountId, name }: { accountId: string; name: string },
): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`;
    const last = await tx.preset.findFirst({ where: { accountId, name, latest: true }, select: { id: true } });
    if (!last) return false;
    await tx.preset.deleteMany({ where: { accountId, name, latest: false } });
    await tx.preset.update({ where: { id: last.id }, data: { latest: false, options: Prisma.JsonNull } });
    const forgotten = await tx.preset.findMany({
      where: { accountId, ...isDeleted },
      orderBy: { id: 'desc' },
      skip: deletedAtMost,
      select: { id: true },
    });
    await tx.preset.deleteMany({ where: { id: { in: forgotten.map(({ id }) => id) } } });
    return true;
  });
}

export async function presetNames({ prisma }: Client, accountId: string): Promise<string[]> {
  const rows = await prisma.preset.findMany({ where: { accountId, latest: true }, select: { name: true } });
  return rows.map(({ name }) => name);
}

/** Reads presets with decrypted secrets, in any order. A version of null is the newest. Presets that do not exist are missing. */
export async function usePresets(
  { pool }: Pick<Database, 'pool'>,
  encryptor: Encryptor,
  accountId: string,
  references: readonly { name: string; version: number | null }[],
): Promise<(FoundPreset & { asked: number | null })[]> {
  const { rows } = await pool.query<FoundPreset & { id: string; asked: number | null }>({
    name: 'use-presets',
    text: `SELECT p.id, p.name, p.version, p.options, r.version AS asked
             FROM unnest($2::text[], $3::int[]) AS r(name, version),
          LATERAL (SELECT id, name, version, options FROM preset
                    WHERE account_id = $1 AND name = r.name AND (r.version IS NULL OR version = r.version)
                      AND jsonb_typeof(options) <> 'null'
                    ORDER BY version DESC LIMIT 1) p`,
    values: [accountId, references.map(({ name }) => name), references.map(({ version }) => version)],
  });
  return rows.map(({ id, ...row }) => ({ ...row, options: decryptSecretOptions(encryptor, id, row.options) }));
}
