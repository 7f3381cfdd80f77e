/** Bytes as people say them. */
export function sizeText(bytes: number | null): string {
  if (bytes === null) return '–';
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Milliseconds as people say them. */
export function durationText(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A time in seconds as people say it: in the largest unit of which there are two or more, or just one. */
export function spanText(seconds: number): string {
  const whole = Math.round(seconds);
  const [unit, length] = units.find(([, each]) => whole >= 2 * each || whole === each) ?? (['second', 1] as const);
  const count = Math.round(whole / length);
  return `${countText(count)} ${unit}${count === 1 ? '' : 's'}`;
}

export const countText = (count: number): string => count.toLocaleString('en');

const kinds: Readonly<Record<string, string>> = { screenshot: 'Screenshot', pdf: 'PDF', og_image: 'OG image' };

/** The name of a type of captures. */
export const kindText = (type: string): string => kinds[type] ?? type;

/**
 * A signed link as this page reaches it. The link names the public address of the service; the page may have been
 * reached by another one, and loads from its own origin alone.
 */
export function ownAddress(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}
