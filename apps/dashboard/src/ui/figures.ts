import { countedAtMost } from '@capture/contract/counted-at-most';

export function sizeText(bytes: number | null): string {
  if (bytes === null) return '–';
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

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

/** Writes seconds in the largest unit that gives exactly one or at least two. */
export function spanText(seconds: number): string {
  const rounded = Math.round(seconds);
  const [unit, length] = units.find(([, size]) => rounded >= 2 * size || rounded === size) ?? (['second', 1] as const);
  const count = Math.round(rounded / length);
  return `${countText(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** Writes a share in percent: a small share is not shown as 0 %, and an incomplete one not as 100 %. */
export function shareText(percent: number): string {
  if (percent <= 0) return '0%';
  if (percent < 1) return '<1%';
  return `${percent < 100 ? Math.min(99, Math.round(percent)) : 100}%`;
}

export const countText = (count: number): string => count.toLocaleString('en');

/** Writes a count that ends at `countedAtMost`. */
export const boundedCountText = (count: number): string =>
  `${countText(count)}${count < countedAtMost ? '' : ' or more'}`;

const kinds: Readonly<Record<string, string>> = {
  screenshot: 'Screenshot',
  pdf: 'PDF',
  og_image: 'OG image',
  content: 'Content',
};

export const kindText = (type: string): string => kinds[type] ?? type;

/** Describes the page of a capture, by the `url` of its record. */
export const pageText = (url: string): string => (url === 'about:blank' ? 'Submitted HTML' : url);

export const shortPageText = (url: string): string => pageText(url).replace(/^https?:\/\//, '');

/** Returns a signed link on this page's origin, from which alone the page loads; the public URL may differ. */
export function ownUrl(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}
