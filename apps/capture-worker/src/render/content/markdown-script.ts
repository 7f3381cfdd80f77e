/// <reference lib="dom" />
/** Scripts for `runInPage`: they are sent as text, so they must be self-contained; input and result are JSON. */

import type { ContentWorld } from './copy/copy.ts';

/** Writes what `tidyForMarkdown` has made as Markdown. */
export function writeMarkdown({ most }: { most: number }): string {
  const { captureTidied: root, captureLibraries: libraries } = globalThis as unknown as ContentWorld;
  const service = new libraries.Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    hr: '---',
    emDelimiter: '*',
  });
  service.use(libraries.gfm.gfm);
  // Turndown escapes what begins a block at the start of every text, but a text need not start a line.
  const start = '\ufdd0';
  const escapeAll = service.escape.bind(service);
  const hasFormulas = root.querySelector('[data-math]') !== null;
  service.escape = (text) => {
    const escaped = escapeAll(text.replaceAll(start, ''))
      .replace(/^\\(?=[-+=#~>])/, start)
      .replace(/^(\d+)\\\. /, `$1${start}. `)
      .replace(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, '_')
      .replace(/<(?=[a-z/!?]|$)/gi, '\\<')
      .replace(/&(?=#?\w+;)/g, '\\&');
    return hasFormulas ? escaped.replaceAll('$', '\\$') : escaped;
  };
  service.addRule('formula', {
    filter: (node: Element) => node.hasAttribute('data-math'),
    replacement(_content: string, node: Element) {
      const tex = (node.textContent ?? '').trim();
      if (tex === '') return '';
      if (node.getAttribute('data-math') === 'display') return `\n\n$$\n${tex}\n$$\n\n`;
      return `$${tex.replace(/\s*\n\s*/g, ' ')}$`;
    },
  });
  service.addRule('code block', {
    filter: (node: Element) => node.nodeName === 'PRE' && node.firstElementChild?.nodeName === 'CODE',
    replacement(_content: string, node: Element) {
      const code = node.textContent ?? '';
      const [, language = ''] = /language-(\S+)/.exec(node.firstElementChild?.className ?? '') ?? [];
      // Longer than any fence in the code.
      const runs = [...code.matchAll(/^`{3,}/gm)].map(([run]) => run.length);
      const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
      return `\n\n${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}\n\n`;
    },
  });
  service.addRule('task', {
    filter: (node: Element) => node.hasAttribute('data-task'),
    replacement: (_content: string, node: Element) => (node.textContent ?? '').trim(),
  });
  service.addRule('raised or lowered', {
    filter: ['sup', 'sub'],
    // References to notes are links already.
    replacement: (content: string, node: Element) =>
      node.querySelector('a') || node.parentElement?.closest('a')
        ? content
        : `<${node.localName}>${content}</${node.localName}>`,
  });
  service.addRule('cell', {
    filter: ['th', 'td'],
    replacement(content: string, node: Element) {
      const line = content
        .trim()
        .replace(/\s*\n\s*/g, '<br>')
        .replaceAll('|', '\\|');
      return `${node.previousElementSibling ? ' ' : '| '}${line} |`;
    },
  });
  const numbers = new Map<Element | null, number>();
  service.addRule('list item', {
    filter: 'li',
    replacement(content: string, node: Element) {
      const list = node.parentElement;
      const isOrdered = list?.nodeName === 'OL';
      const { previousElementSibling: previous, nextElementSibling: next } = node;
      const given = Number.parseInt(
        node.getAttribute('value') ?? (previous ? '' : (list?.getAttribute('start') ?? '')),
        10,
      );
      const number = Math.max(0, given >= 0 ? given : (numbers.get(previous) ?? 0) + 1);
      numbers.set(node, number);
      const marker = isOrdered ? `${number}. ` : '- ';
      const isLoose = /^\n/.test(content) && /\n\n/.test(content.trim());
      const text = content.trim().replace(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length)}`);
      return `${marker}${text}${next ? (isLoose ? '\n\n' : '\n') : ''}`;
    },
  });
  service.addRule('heading', {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement(content: string, node: Element) {
      const text = content.replace(/\s+/g, ' ').trim();
      return text === '' ? '' : `\n\n${'#'.repeat(Number(node.nodeName.charAt(1)))} ${text}\n\n`;
    },
  });
  service.addRule('link', {
    filter: 'a',
    replacement(content: string, node: Element) {
      const url = (node.getAttribute('href') ?? '')
        .replace(/[()\s<>]/g, encodeURIComponent)
        .replaceAll('(', '%28')
        .replaceAll(')', '%29');
      const text = content.trim();
      if (url === '' || text === '') return text;
      const space = (end: RegExp) => (end.test(content) ? ' ' : '');
      return `${space(/^\s/)}[${text.replace(/\s*\n\s*/g, ' ')}](${url})${space(/\s$/)}`;
    },
  });
  service.addRule('term', {
    filter: ['dt'],
    replacement: (content: string) =>
      content.trim() === '' ? '' : `\n\n**${content.replaceAll('**', '').replace(/\s+/g, ' ').trim()}**\n\n`,
  });
  service.addRule('description', {
    filter: ['dd', 'figure', 'figcaption', 'summary'],
    replacement: (content: string) => `\n\n${content.trim()}\n\n`,
  });
  const text = service.turndown(root);
  const startsLine = new RegExp(`^([\\s>]*(?:(?:-|\\d+\\.) +)*)(\\d*)${start}`, 'gm');
  return `${text
    .replace(startsLine, '$1$2\\')
    .replaceAll(start, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`.slice(0, most);
}
