import { UsageError } from '../usage-error.ts';
import type { CaptureOption } from './capture-option.ts';

/**
 * The value that texts stand for, as a JSON body has it: one text of a CSV cell, or each use of a flag.
 *
 * @param shown how a message names where the texts come from: `--width`, `column width`.
 * @throws {UsageError} for what cannot be a value of this form. Ranges and choices are the server's to judge.
 */
export function readValue(option: CaptureOption, texts: readonly string[], shown: string): unknown {
  if (option.form === 'list') return readList(option, texts, shown);
  const text = texts.at(-1) ?? '';
  if (texts.length > 1) throw new UsageError(`${shown} is given ${texts.length} times and takes one value`);
  switch (option.form) {
    case 'boolean':
      return readBoolean(text, shown);
    case 'number':
      return readNumber(text, shown);
    case 'json':
      return option.orText && !/^\s*[[{]/.test(text) ? text : readJson(text, shown);
    default:
      return text;
  }
}

function readBoolean(text: string, shown: string): boolean {
  const value = { true: true, yes: true, '1': true, false: false, no: false, '0': false }[text.toLowerCase()];
  if (value === undefined) throw new UsageError(`${shown} must be true or false, not ${quote(text)}`);
  return value;
}

function readNumber(text: string, shown: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new UsageError(`${shown} must be a number, not ${quote(text)}`);
  return value;
}

/** JSON as a flag, a cell or a file has it. @throws {UsageError} for text that is none. */
export function readJson(text: string, shown: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text itself may be a cookie or a password: it is not repeated.
    throw new UsageError(`${shown} must be JSON, as in '{"name": "value"}'`);
  }
}

/** A JSON array, or one element a text; those that are words of a list or numbers may stand between commas too. */
function readList(option: CaptureOption, texts: readonly string[], shown: string): unknown[] {
  return texts.flatMap((text) => {
    if (/^\s*\[\s*["\d\]]/.test(text)) return readJson(text, shown) as unknown[];
    // A CSS selector has commas of its own.
    const parts = option.choices || /^[\dx,\s]+$/i.test(text) ? text.split(',').map((part) => part.trim()) : [text];
    return parts.filter((part) => part !== '').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  });
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
