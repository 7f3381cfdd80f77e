import { didYouMean } from '@capture/contract/did-you-mean';
import { splitReference } from '@capture/contract/options/preset-name';
import { type FoundPreset, isOfPreset, type PresetFault, withPreset } from '@capture/contract/options/preset-options';
import type { Database } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import { findPreset, presetNames, usePresets } from '@capture/database/presets/presets';

export interface PresetDependencies {
  database: Database;
  /** Decrypts the secret options of the presets. */
  encryptor: Encryptor;
}

/**
 * Finds the presets that a request names.
 *
 * @param references texts that `presetReference` matches.
 * @returns for each text the preset, or the reason why it does not exist.
 */
export async function findPresets(
  { database, encryptor }: PresetDependencies,
  accountId: string,
  references: readonly string[],
): Promise<Map<string, FoundPreset | PresetFault>> {
  const found = new Map<string, FoundPreset | PresetFault>();
  if (references.length === 0) return found;
  const asked = references.map(splitReference);
  for (const { asked: version, ...preset } of await usePresets(database, encryptor, accountId, asked)) {
    found.set(version === null ? preset.name : `${preset.name}@${version}`, preset);
  }
  const missing = references.filter((reference) => !found.has(reference));
  if (missing.length === 0) return found;
  const names = await presetNames(database, accountId);
  for (const reference of missing) {
    const message = await explainMissing(database, accountId, names, splitReference(reference));
    found.set(reference, { fault: { field: 'preset', message, value: reference } });
  }
  return found;
}

/**
 * Merges the options of a request over the options of its preset.
 *
 * @returns the options, and where a client finds an invalid field: in the request, or in the preset.
 */
export function applyPreset(own: Record<string, unknown>, preset: FoundPreset) {
  const placeOf = (field: string) => (isOfPreset(field, own, preset) ? `preset.${field}` : field);
  return { options: withPreset(own, preset), placeOf };
}

async function explainMissing(
  database: Database,
  accountId: string,
  names: readonly string[],
  { name, version }: { name: string; version: number | null },
): Promise<string> {
  if (!names.includes(name)) return `is not a preset of this account${didYouMean(name, names)}`;
  const newest = await findPreset(database, { accountId, name, version: null });
  const isOld = version !== null && newest !== null && version < newest.version;
  return isOld
    ? `is a version that is no longer kept; the newest is ${name}@${newest.version}`
    : `is not a version of ${name}; the newest is ${name}@${newest?.version}`;
}
