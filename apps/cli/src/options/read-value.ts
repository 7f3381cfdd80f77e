import { UsageError } from '../usage-error.ts';
import type { CaptureOption } from './capture-option.ts';

/**
 * Parses the text of a CSV cell, or of each use of a flag, into a JSON value.
 *
 * @param source the origin of the text in messages: `--width`, `column width`.
 * @throws {UsageError} for text that does not have the form of the option. The server validates ranges and choices.
 */
export function readValue(option: CaptureOption, texts: readonly string[], source: string): unknown {
  if (option.form === 'list') return readList(option, texts, source);
  const text = texts.at(-1) ?? '';
  if (texts.length > 1) throw new UsageError(`${source} is set ${texts.length} times but takes one value`);
  switch (option.form) {
    case 'boolean':
      return readBoolean(text, source);
    case 'number':
      return readNumber(text, source);
    case 'json':
      return option.orText && !/^\s*[[{]/.test(text) ? text : readJson(text, source);
    default:
      return text;
  }
}

function readBoolean(text: string, source: string): boolean {
  const value = { true: true, yes: true, '1': true, false: false, no: false, '0': false }[text.toLowerCase()];
  if (value === undefined) throw new UsageError(`${source} must be true or false, not ${quote(text)}`);
  return value;
}

function readNumber(text: string, source: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new UsageError(`${source} must be a number, not ${quote(text)}`);
  return value;
}

/** Parses JSON. @throws {UsageError} for anything else. */
export function readJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text may be a cookie or a password, so the message does not contain it.
    throw new UsageError(`${source} must be JSON, as in '{"name": "value"}'`);
  }
}

/** Reads a JSON array, or one element from each text. Commas may also separate words and numbers. */
function readList(option: CaptureOption, texts: readonly string[], source: string): unknown[] {
  return texts.flatMap((text) => {
    if (/^\s*\[\s*["{\d\]]/.test(text)) return readJson(text, source) as unknown[];
    // CSS selectors contain commas.
    const parts = option.choices || /^[\dx,\s]+$/i.test(text) ? text.split(',').map((part) => part.trim()) : [text];
    return parts.filter((part) => part !== '').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  });
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
