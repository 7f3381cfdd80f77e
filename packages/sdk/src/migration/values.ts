import type { Options, Tell } from './table.ts';

/** A value that cannot be translated; its message says why. */
export class Unfit extends Error {
  override name = 'Unfit';
}

/** Values come as JSON or, from a query or a form, as text. */
export function asText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Unfit('is no text');
}

/** Whether another option says true; anything else is as if it were not given. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

export function asBoolean(value: unknown): boolean {
  if (isTrue(value)) return true;
  if (value === false || value === 'false' || value === 0 || value === '0') return false;
  throw new Unfit('is neither true nor false');
}

export function asNumber(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new Unfit('is no number');
}

/** Items of a list; a single text is a list of one. */
export function asList(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(asText);
}

export function asObject(value: unknown): Options {
  const given = typeof value === 'string' ? parsed(value) : value;
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Options;
  throw new Unfit('is no object');
}

/** A list of objects, which a form has as JSON text. */
export function asObjects(value: unknown): Options[] {
  const given = typeof value === 'string' ? parsed(value) : value;
  if (Array.isArray(given)) return given.map(asObject);
  throw new Unfit('is no list');
}

/** A list that a form has as JSON text. */
export function asNumbers(value: unknown): number[] {
  const given = typeof value === 'string' ? parsed(value) : value;
  if (Array.isArray(given)) return given.map(asNumber);
  throw new Unfit('is no list');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unfit('is no JSON');
  }
}

/** The nearest number that is allowed here; one that had to be moved is told. */
export function within(number: number, least: number, most: number, tell: Tell): number {
  if (number >= least && number <= most) return number;
  const nearest = Math.min(Math.max(number, least), most);
  tell(`${number} is out of range here: ${nearest} in its place`);
  return nearest;
}

/** A reader of whole numbers of a range. */
export function whole(least: number, most: number) {
  return (value: unknown, tell: Tell) => within(Math.round(asNumber(value)), least, most, tell);
}

/** A reader of numbers of a range. */
export function between(least: number, most: number) {
  return (value: unknown, tell: Tell) => within(asNumber(value), least, most, tell);
}

/** A reader of times, as milliseconds. @param unitMs what one of theirs is. */
export function time(unitMs: number, least: number, most: number) {
  return (value: unknown, tell: Tell) => within(Math.round(asNumber(value) * unitMs), least, most, tell);
}

/** A reader of words, each by ours for it; one that is not there cannot be translated. */
export function oneOf<Ours>(words: Readonly<Record<string, Ours>>) {
  return (value: unknown): Ours => {
    const word = asText(value).toLowerCase();
    if (Object.hasOwn(words, word)) return words[word] as Ours;
    throw new Unfit(`${word} has no counterpart`);
  };
}

/** A move that sets an option where theirs is true; false is the default of both. */
export function ifTrue(options: Options) {
  return (value: unknown): Options => (asBoolean(value) ? options : {});
}
