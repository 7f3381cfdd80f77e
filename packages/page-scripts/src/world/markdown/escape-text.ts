/**
 * Stands for a backslash that is needed only at the start of a line: Turndown escapes what begins a block at the start of every
 * text, but a text need not start a line. No page can contain this character, which Unicode reserves.
 */
const startMark = '\ufdd0';

const startsLine = new RegExp(`^([\\s>]*(?:(?:-|\\d+\\.) +)*)(\\d*)${startMark}`, 'gm');

/** Escapes a text for Markdown. `escapeAll` is the escaping of Turndown. */
export function escapeText(
  text: string,
  { escapeAll, hasFormulas }: { escapeAll: (text: string) => string; hasFormulas: boolean },
): string {
  const escaped = escapeAll(text.replaceAll(startMark, ''))
    .replace(/^\\(?=[-+=#~>])/, startMark)
    .replace(/^(\d+)\\\. /, `$1${startMark}. `)
    .replace(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, '_')
    .replace(/<(?=[a-z/!?]|$)/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&');
  return hasFormulas ? escaped.replaceAll('$', '\\$') : escaped;
}

/** Writes the backslashes that are needed, and removes spaces and empty lines that are not. */
export function finishText(text: string): string {
  const finished = text
    .replace(startsLine, '$1$2\\')
    .replaceAll(startMark, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return `${finished}\n`;
}
