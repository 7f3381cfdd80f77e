import type { Counterpart, NoCounterpart, Report } from './table.ts';
import { asList, asNumber, asText, oneOf, Untranslatable } from './values.ts';

/** Returns rows for options that have no counterpart for the same reason. */
export function none(why: string, ...names: string[]): Record<string, NoCounterpart> {
  return Object.fromEntries(names.map((name) => [name, { why }]));
}

/** Returns rows for options that have no counterpart and do not affect the quality of a capture. */
export function needless(why: string, ...names: string[]): Record<string, NoCounterpart> {
  return Object.fromEntries(names.map((name) => [name, { why, harmless: true }]));
}

/** Returns rows for options about the HTTP request, which the compatible endpoint obeys. */
export function byEndpoint(why: string, ...names: string[]): Record<string, NoCounterpart> {
  return Object.fromEntries(names.map((name) => [name, { why, byEndpoint: true }]));
}

/** Returns a row for a renamed option. @param read translates the value. */
export function renamed(
  ours: string,
  read: (value: unknown, report: Report) => unknown,
  more: Pick<Counterpart, 'how' | 'only' | 'harmless'> = {},
): Counterpart {
  return { ours, ...more, move: (value, report) => ({ [ours]: read(value, report) }) };
}

export function geolocation(field: 'latitude' | 'longitude' | 'accuracy'): Counterpart {
  return { ours: 'geolocation', move: (value) => ({ geolocation: { [field]: asNumber(value) } }) };
}

/** Parses a rectangle such as `0,100,640,480`: left, top, width, height. */
export function rectangleOf(value: unknown): Record<'x' | 'y' | 'width' | 'height', number> {
  const [x, y, width, height, ...more] = asText(value).split(',').map(asNumber);
  if (x === undefined || y === undefined || width === undefined || height === undefined || more.length > 0) {
    throw new Untranslatable('is not left,top,width,height');
  }
  return { x, y, width, height };
}

/** Returns the first language of an `Accept-Language` value. */
export function languageOf(value: unknown): string {
  return asText(value).split(/[,;]/)[0]!.trim();
}

/** Translates paper names. */
export const paperOf = oneOf({
  a3: 'A3',
  a4: 'A4',
  a5: 'A5',
  letter: 'Letter',
  legal: 'Legal',
  tabloid: 'Tabloid',
});

const waits = { load: 'load', domcontentloaded: 'domcontentloaded', networkidle0: 'networkidle', networkidle2: 'auto' };

/** The row for Puppeteer's `waitUntil`. */
export const waitUntil: Counterpart = {
  ours: 'wait_until',
  how: 'the last of a list; `networkidle0` → `networkidle`, `networkidle2` → `auto`',
  move: (value) => ({ wait_until: oneOf(waits)(asList(value).at(-1)) }),
};

const resources = ['image', 'media', 'font', 'stylesheet', 'script', 'xhr', 'fetch', 'websocket', 'other'];

/** The row for Puppeteer's resource types. */
export const blockResources: Counterpart = {
  ours: 'block_resources',
  how: 'without `document`, `texttrack`, `eventsource`, `manifest`',
  harmless: true,
  move(value, report) {
    const named = asList(value);
    const unknown = named.filter((name) => !resources.includes(name));
    if (unknown.length > 0) report(`${unknown.join(', ')} cannot be blocked`);
    return { block_resources: named.filter((name) => resources.includes(name)) };
  },
};
