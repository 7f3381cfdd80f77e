import type { Counterpart, NoCounterpart, Tell } from './table.ts';
import { asList, asNumber, asText, oneOf, Unfit } from './values.ts';

/** Rows of options that have no counterpart for one reason. */
export function none(why: string, ...names: string[]): Record<string, NoCounterpart> {
  return Object.fromEntries(names.map((name) => [name, { why }]));
}

/** A row that only has another name. @param read makes our value of theirs. */
export function renamed(
  ours: string,
  read: (value: unknown, tell: Tell) => unknown,
  more: Pick<Counterpart, 'how' | 'only'> = {},
): Counterpart {
  return { ours, ...more, move: (value, tell) => ({ [ours]: read(value, tell) }) };
}

/** A field of the place where the page finds itself. */
export function geolocation(field: 'latitude' | 'longitude' | 'accuracy'): Counterpart {
  return { ours: 'geolocation', move: (value) => ({ geolocation: { [field]: asNumber(value) } }) };
}

/** A rectangle from a text such as `0,100,640,480`: left, top, width, height. */
export function rectangleOf(value: unknown): Record<'x' | 'y' | 'width' | 'height', number> {
  const [x, y, width, height, ...more] = asText(value).split(',').map(asNumber);
  if (x === undefined || y === undefined || width === undefined || height === undefined || more.length > 0) {
    throw new Unfit('is not left,top,width,height');
  }
  return { x, y, width, height };
}

/** The first of the languages of an `Accept-Language`. */
export function languageOf(value: unknown): string {
  return asText(value).split(/[,;]/)[0]!.trim();
}

/** A reader of the names of papers. */
export const paperOf = oneOf({
  a3: 'A3',
  a4: 'A4',
  a5: 'A5',
  letter: 'Letter',
  legal: 'Legal',
  tabloid: 'Tabloid',
});

const waits = { load: 'load', domcontentloaded: 'domcontentloaded', networkidle0: 'networkidle', networkidle2: 'auto' };

/** What to wait for, in Puppeteer's words. */
export const waitUntil: Counterpart = {
  ours: 'wait_until',
  how: 'the last of a list; `networkidle0` → `networkidle`, `networkidle2` → `auto`',
  move: (value) => ({ wait_until: oneOf(waits)(asList(value).at(-1)) }),
};

const resources = ['image', 'media', 'font', 'stylesheet', 'script', 'xhr', 'fetch', 'websocket', 'other'];

/** Kinds of resources, in Puppeteer's words. */
export const blockResources: Counterpart = {
  ours: 'block_resources',
  how: 'without `document`, `texttrack`, `eventsource`, `manifest`',
  move(value, tell) {
    const named = asList(value);
    const unknown = named.filter((name) => !resources.includes(name));
    if (unknown.length > 0) tell(`${unknown.join(', ')} cannot be blocked`);
    return { block_resources: named.filter((name) => resources.includes(name)) };
  },
};
