const name = '[a-z0-9][a-z0-9_-]{0,63}';

export const presetName = new RegExp(`^${name}$`);

/** How a request names a preset: its newest version, or the version after `@`. */
export const presetReference = new RegExp(`^${name}(@[1-9]\\d{0,8})?$`);

/** @param reference a text that `presetReference` matches. */
export function splitReference(reference: string): { name: string; version: number | null } {
  const [name = '', version] = reference.split('@');
  return { name, version: version === undefined ? null : Number(version) };
}
