import type { ListedUrl } from '../list/item.ts';
import { type CaptureOption, type Kind, kinds } from '../options/capture-option.ts';
import { type OptionValues, optionsOf } from '../options/option-flags.ts';
import { UsageError } from '../usage-error.ts';

/** The meaning of a column or a JSON property. */
export type Field = 'url' | 'type' | 'file' | CaptureOption;

/** The options of a line are those of batch items. */
const options: ReadonlyMap<string, CaptureOption> = new Map(
  optionsOf(Object.keys(kinds) as Kind[])
    .filter(({ name }) => name !== 'html' && name !== 'webhook_url')
    .map((option) => [option.name, option]),
);

/** @returns undefined for an unknown name. */
export function findField(name: string): Field | undefined {
  const plain = name.trim().toLowerCase().replaceAll(/[-\s]/g, '_');
  if (plain === 'url' || plain === 'type' || plain === 'file') return plain;
  return options.get(plain);
}

/** @param where the position in messages: `line 3`. */
export function parseKind(text: string, where: string): Kind {
  const kind = text.trim().toLowerCase().replaceAll('-', '_');
  if (Object.hasOwn(kinds, kind)) return kind as Kind;
  throw new UsageError(`${where}: the type must be one of ${Object.keys(kinds).join(', ')}`);
}

/** @throws {UsageError} if there is no URL. */
export function listedUrl(
  { url, type, file }: { url?: string; type?: string; file?: string },
  ownOptions: OptionValues,
  where: string,
): ListedUrl {
  if (!url) throw new UsageError(`${where} has no url`);
  return {
    url,
    options: ownOptions,
    ...(type && { type: parseKind(type, where) }),
    ...(file && { name: file }),
  };
}
