/// <reference lib="dom" />
/** Scripts for `runInPage`: they are sent as text, so they must be self-contained; input and result are JSON. */

import type { ContentWorld } from './copy/copy.ts';

/** Writes the content as plain text: blocks with an empty line between them. */
export function writeText({ most }: { most: number }): string {
  const { captureRoot: root } = globalThis as unknown as ContentWorld;
  const blocks =
    /^(address|article|aside|blockquote|div|dl|dt|dd|figure|figcaption|footer|h[1-6]|header|hr|main|nav|ol|p|section|summary|table|ul|details|caption)$/;
  // What is finished is set aside: looking at the end of a long text for each block takes seconds.
  const finished: string[] = [];
  let length = 0;
  let text = '';
  const line = (breaks: number) => {
    text = text.replace(/[ \t]+$/, '');
    if (text === '') return;
    const present = /\n*$/.exec(text)?.[0].length ?? 0;
    text += '\n'.repeat(Math.max(0, breaks - present));
    if (text.length < 4_000) return;
    finished.push(text.slice(0, -10));
    length += text.length - 10;
    text = text.slice(-10);
  };
  const read = (node: Node) => {
    if (length + text.length > most) return;
    if (node.nodeType === Node.TEXT_NODE) {
      const words = (node.nodeValue ?? '').replace(/\s+/g, ' ');
      text += /(^|\s)$/.test(text) ? words.trimStart() : words;
      return;
    }
    const name = node.nodeName.toLowerCase();
    if (name === 'pre') {
      line(2);
      text += node.textContent ?? '';
      return line(2);
    }
    if (name === 'br') return line(1);
    if (name === 'sup' || name === 'sub') {
      // Without its place a number is another one: 10² would be 102. Other raised text, as in 1st, reads well without.
      const number = (node.textContent ?? '').trim().replace('−', '-');
      if (/^[+-]?\d+$/.test(number)) {
        const small = name === 'sup' ? '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻' : '₀₁₂₃₄₅₆₇₈₉₊₋';
        text += [...number].map((sign) => small.charAt('0123456789+-'.indexOf(sign))).join('');
        return;
      }
    }
    if (name === 'img') {
      text += (node as Element).getAttribute('alt') ?? '';
      return;
    }
    const breaks = blocks.test(name)
      ? node.parentElement?.closest('li')
        ? 1
        : 2
      : name === 'li' || name === 'tr'
        ? 1
        : 0;
    if (breaks > 0) line(breaks);
    if (name === 'li') text += '- ';
    if ((name === 'td' || name === 'th') && (node as Element).previousElementSibling) text = `${text.trimEnd()}\t`;
    for (const child of node.childNodes) read(child);
    if (breaks > 0) line(breaks);
  };
  read(root);
  return `${`${finished.join('')}${text}`.trim()}\n`.slice(0, most);
}

/** Writes the content as a document without scripts, styles and classes. */
export function writeHtml({ most }: { most: number }): string {
  const { captureCopy: copy, captureRoot } = globalThis as unknown as ContentWorld;
  // Another output may write the same copy.
  const root = captureRoot.cloneNode(true) as Element;
  for (const element of root.querySelectorAll('*')) {
    for (const name of ['class', 'id', 'role', 'itemprop', 'data-math', 'data-mathml', 'data-task']) {
      if (name === 'class' && element.localName === 'code' && /^language-/.test(element.className)) continue;
      element.removeAttribute(name);
    }
  }
  const head = copy.createElement('head');
  const charset = copy.createElement('meta');
  charset.setAttribute('charset', 'utf-8');
  const title = copy.createElement('title');
  title.textContent = copy.title;
  head.append(charset, title);
  const body = root.innerHTML.slice(0, most);
  const lang = copy.createElement('html');
  if (copy.documentElement.lang !== '') lang.lang = copy.documentElement.lang;
  const opening = lang.outerHTML.replace('</html>', '');
  return `<!DOCTYPE html>\n${opening}\n${head.outerHTML}\n<body>\n${body.trim()}\n</body>\n</html>\n`;
}

export interface ContentLink {
  url: string;
  text: string;
  rel: string[];
  internal: boolean;
}

/** Lists the links of the content, each URL once. */
export function writeLinks({ most, host }: { most: number; host: string }): ContentLink[] {
  const { captureRoot: root } = globalThis as unknown as ContentWorld;
  const plainHost = (name: string) => name.replace(/^www\./, '');
  const blocks =
    'address, article, blockquote, br, dd, div, dl, dt, figcaption, figure, footer, h1, h2, h3, h4, h5, h6, header, li, ol, p, pre, section, table, td, th, tr, ul';
  const links = new Map<string, ContentLink>();
  for (const link of root.querySelectorAll('a[href]')) {
    const url = link.getAttribute('href') ?? '';
    const alt = [...link.querySelectorAll('img')].map((image) => image.getAttribute('alt') ?? '').join(' ');
    // Blocks stand apart.
    const shown = link.cloneNode(true) as Element;
    for (const part of shown.querySelectorAll(blocks)) part.replaceWith(' ', ...part.childNodes, ' ');
    const text = (shown.textContent.trim() || alt).replace(/\s+/g, ' ').trim().slice(0, 1_000);
    const known = links.get(url);
    if (known) known.text ||= text;
    if (known || links.size >= most) continue;
    const rel = (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const isInternal = /^https?:/.test(url) && plainHost(new URL(url).host) === plainHost(host);
    links.set(url, { url, text, rel, internal: isInternal });
  }
  return [...links.values()];
}
