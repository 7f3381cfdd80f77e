import { invalidRequest } from '@capture/contract/errors';
import markdownIt from 'markdown-it';

/** Markdown may contain HTML: Chromium renders the text as a page that the client submits. */
const markdown = markdownIt({ html: true });

/**
 * The HTML of a Markdown text. The text has a limit, since nested brackets are slow: 100 kB a second.
 *
 * @throws {ApiError} `INVALID_REQUEST` that names the text, if it is too long.
 */
export function htmlOfMarkdown(text: string, { name, atMostKb }: { name: string; atMostKb: number }): string {
  if (text.length > atMostKb * 1_024) {
    throw invalidRequest([{ field: name, message: `must be at most ${atMostKb} kB of Markdown` }]);
  }
  return markdown.render(text);
}
