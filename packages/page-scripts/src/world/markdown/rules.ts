/** A rule of Turndown. */
export interface MarkdownRule {
  filter: string | string[] | ((node: Element) => boolean);
  replacement: (content: string, node: Node) => string;
}

/** How elements are written that Turndown would write otherwise, or not at all. */
export function markdownRules(): Record<string, MarkdownRule> {
  const numbers = new Map<Element | null, number>();
  return {
    formula: {
      filter: (node) => node.hasAttribute('data-math'),
      replacement: (_, node) => writeFormula(node as Element),
    },
    'code block': {
      filter: (node) => node.nodeName === 'PRE' && node.firstElementChild?.nodeName === 'CODE',
      replacement: (_, node) => writeCode(node as Element),
    },
    task: {
      filter: (node) => node.hasAttribute('data-task'),
      replacement: (_, node) => (node.textContent ?? '').trim(),
    },
    'raised or lowered': {
      filter: ['sup', 'sub'],
      replacement: (content, node) => writeRaised(content, node as Element),
    },
    cell: { filter: ['th', 'td'], replacement: (content, node) => writeCell(content, node as Element) },
    'list item': { filter: 'li', replacement: (content, node) => writeItem(content, node as Element, numbers) },
    heading: {
      filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
      replacement: (content, node) => writeHeading(content, Number(node.nodeName.charAt(1))),
    },
    link: {
      filter: 'a',
      replacement: (content, node) => writeLink(content, (node as Element).getAttribute('href') ?? ''),
    },
    term: { filter: ['dt'], replacement: writeTerm },
    description: {
      filter: ['dd', 'figure', 'figcaption', 'summary'],
      replacement: (content) => `\n\n${content.trim()}\n\n`,
    },
  };
}

function writeFormula(node: Element): string {
  const tex = (node.textContent ?? '').trim();
  if (tex === '') return '';
  if (node.getAttribute('data-math') === 'display') return `\n\n$$\n${tex}\n$$\n\n`;
  return `$${tex.replace(/\s*\n\s*/g, ' ')}$`;
}

function writeCode(node: Element): string {
  const code = node.textContent ?? '';
  const [, language = ''] = /language-(\S+)/.exec(node.firstElementChild?.className ?? '') ?? [];
  // Longer than any fence in the code.
  const runs = [...code.matchAll(/^`{3,}/gm)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `\n\n${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}\n\n`;
}

/** References to notes are links already. */
function writeRaised(content: string, node: Element): string {
  const isReference = node.querySelector('a') || node.parentElement?.closest('a');
  return isReference ? content : `<${node.localName}>${content}</${node.localName}>`;
}

function writeCell(content: string, node: Element): string {
  const line = content
    .trim()
    .replace(/\s*\n\s*/g, '<br>')
    .replaceAll('|', '\\|');
  return `${node.previousElementSibling ? ' ' : '| '}${line} |`;
}

/** @param numbers of the items that are written: the next item counts from there. */
function writeItem(content: string, node: Element, numbers: Map<Element | null, number>): string {
  const list = node.parentElement;
  const { previousElementSibling: previous, nextElementSibling: next } = node;
  const start = previous ? '' : (list?.getAttribute('start') ?? '');
  const given = Number.parseInt(node.getAttribute('value') ?? start, 10);
  const number = Math.max(0, given >= 0 ? given : (numbers.get(previous) ?? 0) + 1);
  numbers.set(node, number);
  const marker = list?.nodeName === 'OL' ? `${number}. ` : '- ';
  const isLoose = /^\n/.test(content) && /\n\n/.test(content.trim());
  const text = content.trim().replace(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length)}`);
  return `${marker}${text}${next ? (isLoose ? '\n\n' : '\n') : ''}`;
}

function writeHeading(content: string, level: number): string {
  const text = content.replace(/\s+/g, ' ').trim();
  return text === '' ? '' : `\n\n${'#'.repeat(level)} ${text}\n\n`;
}

function writeLink(content: string, href: string): string {
  const url = href
    .replace(/[()\s<>]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
  const text = content.trim();
  if (url === '' || text === '') return text;
  const space = (end: RegExp) => (end.test(content) ? ' ' : '');
  return `${space(/^\s/)}[${text.replace(/\s*\n\s*/g, ' ')}](${url})${space(/\s$/)}`;
}

function writeTerm(content: string): string {
  if (content.trim() === '') return '';
  return `\n\n**${content.replaceAll('**', '').replace(/\s+/g, ' ').trim()}**\n\n`;
}
