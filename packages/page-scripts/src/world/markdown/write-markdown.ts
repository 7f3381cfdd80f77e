/// <reference path="./turndown.d.ts" />
import { gfm } from '@joplin/turndown-plugin-gfm';
import Turndown from 'turndown';
import { contentCopies } from '../content/latest-copy.ts';
import { escapeText, finishText } from './escape-text.ts';
import { markdownRules } from './rules.ts';

/** Writes what `tidyForMarkdown` has made as Markdown: at most `most` characters. */
export function writeMarkdown({ most }: { most: number }): string {
  const { tidied: root } = contentCopies();
  if (!root) throw new Error('the content has not been tidied');
  const service = new Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    hr: '---',
    emDelimiter: '*',
  });
  service.use(gfm);
  const escapeAll = service.escape.bind(service);
  const hasFormulas = root.querySelector('[data-math]') !== null;
  service.escape = (text) => escapeText(text, { escapeAll, hasFormulas });
  for (const [name, rule] of Object.entries(markdownRules())) service.addRule(name, rule);
  return finishText(service.turndown(root as HTMLElement)).slice(0, most);
}
