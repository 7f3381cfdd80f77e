import highlighter from 'highlight.js/lib/common';
import { Html, html } from './html.ts';

/** Shows a block of code with coloured words. The block takes the focus, so that a keyboard can scroll it. */
export function codeBlock(code: string, grammar: string): Html {
  const known = highlighter.getLanguage(grammar) !== undefined;
  const coloured = known ? new Html(highlighter.highlight(code, { language: grammar }).value) : code;
  return html`<div class="code"><pre tabindex="0"><code>${coloured}</code></pre></div>`;
}

export const jsonBlock = (value: unknown): Html => codeBlock(JSON.stringify(value, null, 2), 'json');
