import type { Options, Report } from './table.ts';

/** A value that cannot be translated; its message says why. */
export class Untranslatable extends Error {
  override name = 'Untranslatable';
}

/** Returns a value as text. A JSON body contains values, a query or a form contains text. */
export function asText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Untranslatable('is not text');
}

/** Whether another option is true; any other value counts as not given. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

export function asBoolean(value: unknown): boolean {
  if (isTrue(value)) return true;
  if (value === false || value === 'false' || value === 0 || value === '0') return false;
  throw new Untranslatable('is neither true nor false');
}

export function asNumber(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new Untranslatable('is not a number');
}

/** Returns the items of a list; a single text counts as a list of one item. */
export function asList(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(asText);
}

export function asObject(value: unknown): Options {
  const given = typeof value === 'string' ? parsed(value) : value;
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Options;
  throw new Untranslatable('is not an object');
}

/** Parses a list of objects, which a form contains as JSON text. */
export function asObjects(value: unknown): Options[] {
  const given = typeof value === 'string' ? parsed(value) : value;
  if (Array.isArray(given)) return given.map(asObject);
  throw new Untranslatable('is not a list');
}

/** Parses a list of numbers, which a form contains as JSON text. */
export function asNumbers(value: unknown): number[] {
  const given = typeof value === 'string' ? parsed(value) : value;
  if (Array.isArray(given)) return given.map(asNumber);
  throw new Untranslatable('is not a list');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Untranslatable('is not JSON');
  }
}

/** Clamps a number to the allowed range and reports a change. */
export function within(number: number, least: number, most: number, report: Report): number {
  if (number >= least && number <= most) return number;
  const nearest = Math.min(Math.max(number, least), most);
  report(`${number} is out of range here; the nearest value is ${nearest}`);
  return nearest;
}

/** Reads integers in a range. */
export function whole(least: number, most: number) {
  return (value: unknown, report: Report) => within(Math.round(asNumber(value)), least, most, report);
}

export function between(least: number, most: number) {
  return (value: unknown, report: Report) => within(asNumber(value), least, most, report);
}

/** Reads times as milliseconds. @param unitMs the milliseconds of the value's unit. */
export function time(unitMs: number, least: number, most: number) {
  return (value: unknown, report: Report) => within(Math.round(asNumber(value) * unitMs), least, most, report);
}

/** Returns a function that translates words by a table. */
export function oneOf<Ours>(words: Readonly<Record<string, Ours>>) {
  return (value: unknown): Ours => {
    const word = asText(value).toLowerCase();
    if (Object.hasOwn(words, word)) return words[word] as Ours;
    throw new Untranslatable(`${word} has no counterpart`);
  };
}

/** Sets options if the value is true; false is the default of both services. */
export function ifTrue(options: Options) {
  return (value: unknown): Options => (asBoolean(value) ? options : {});
}
