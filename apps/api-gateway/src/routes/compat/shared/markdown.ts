import { invalidRequest } from '@capture/contract/errors';
import markdownIt from 'markdown-it';

/** Chromium renders a page that the client submits as its own: its Markdown may have HTML in it. */
const markdown = markdownIt({ html: true });

/**
 * The HTML of a Markdown text. Nested brackets take long: 100 kB of them a second.
 *
 * @throws {ApiError} `INVALID_REQUEST` that names the text, if it is too long.
 */
export function htmlOfMarkdown(text: string, { name, atMostKb }: { name: string; atMostKb: number }): string {
  if (text.length > atMostKb * 1_024) {
    throw invalidRequest([{ field: name, message: `must be at most ${atMostKb} kB of Markdown` }]);
  }
  return markdown.render(text);
}
