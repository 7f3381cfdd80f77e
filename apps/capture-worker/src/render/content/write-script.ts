/// <reference lib="dom" />
/** Scripts for `runInPage`: they are sent as text, so they must be self-contained; input and result are JSON. */

import type { KeptCopies } from './copy-script.ts';
import type { Libraries } from './libraries.ts';

interface World extends KeptCopies {
  captureCopy: Document;
  captureLibraries: Libraries;
  /** The part of the copy that is written. */
  captureRoot: Element;
}

/**
 * Chooses the main content of the copy: what the page marks as such, else what Readability finds, else the page without what
 * surrounds its content. Readability drops much of pages that are not articles, such as references, so a result that lacks
 * most of the text is not taken.
 */
export function chooseMain({ isWhole }: { isWhole: boolean }): null {
  const world = globalThis as unknown as World;
  const { captureCopy: copy, captureLibraries: libraries } = world;
  const { body } = copy;
  const lengthOf = (element: Element | null) => (element?.textContent ?? '').replace(/\s+/g, ' ').length;
  const outermost = (selector: string) =>
    [...body.querySelectorAll(selector)].filter((element) => !element.parentElement?.closest(selector));
  const surrounding = 'aside, footer, nav, [role=complementary]';
  const named = '.sidebar, .toc, #toc, .breadcrumb, .breadcrumbs, .skip-link, .menu, .navbar, #menu, #navbar';
  const keep = (chosen: Element) => {
    world.captureRoot = chosen;
    if (world.captureKey) world.captureKept?.set(world.captureKey, { captureCopy: copy, captureRoot: chosen });
    return null;
  };
  if (isWhole) return keep(body);

  const total = lengthOf(body);
  /** Selectors, and the share of the page's text that an element must have. */
  const marked: [selector: string, share: number][] = [
    ['main, [role=main]', 0.1],
    ['[itemprop=articleBody]', 0.4],
    ['article', 0.4],
    ['#content, #main-content, .markdown-body, .contents', 0.2],
  ];
  let root: Element | null = null;
  for (const [selector, share] of marked) {
    const found = outermost(selector).sort((one, other) => lengthOf(other) - lengthOf(one));
    const [largest = null] = found;
    if (lengthOf(largest) < Math.max(1, total * share)) continue;
    // Cards of a list are articles too.
    if (found.length > 1 && lengthOf(largest) < found.reduce((sum, each) => sum + lengthOf(each), 0) * 0.6) continue;
    root = largest;
    break;
  }
  const article = root && [...root.querySelectorAll('article')].sort((a, b) => lengthOf(b) - lengthOf(a))[0];
  if (root && article && lengthOf(article) > lengthOf(root) * 0.6) root = article;

  /** Readability takes a section whose id is its title, such as `host-header`, for a part of the layout of that name. */
  const forgetSlugs = (whole: Document) => {
    for (const heading of whole.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
      const slug = heading.textContent
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '');
      for (const each of [heading, heading.parentElement, heading.previousElementSibling]) {
        if (slug !== '' && each?.id.toLowerCase().endsWith(slug)) each.removeAttribute('id');
      }
    }
  };
  /** It changes the document that it reads. */
  const readArticle = (whole: Document): Element | null => {
    forgetSlugs(whole);
    const options = { serializer: (element: Element) => element, keepClasses: true, charThreshold: 200 };
    try {
      return new libraries.Readability(whole, options).parse()?.content ?? null;
    } catch {
      // The page's policy forbids setting HTML from text, in our world too.
      return null;
    }
  };
  const strip = (element: Element) => {
    const most = lengthOf(element) / 2;
    for (const part of element.querySelectorAll(surrounding)) if (lengthOf(part) < most) part.remove();
    // A box of text may have the same name, so only lists of links go.
    for (const part of element.querySelectorAll(named)) {
      const linked = [...part.querySelectorAll('a')].reduce((sum, link) => sum + lengthOf(link), 0);
      if (lengthOf(part) < most && linked > lengthOf(part) * 0.4) part.remove();
    }
  };
  if (!root) {
    const whole = copy.cloneNode(true) as Document;
    const headers = [...body.children].filter((each) => each.localName === 'header');
    for (const header of headers) if (!header.querySelector('h1')) header.remove();
    strip(body);
    const article = readArticle(whole);
    if (article && lengthOf(article) > lengthOf(body) * 0.5) root = article;
  }
  strip(root ?? body);
  // The title of an article may stand in a header beside it.
  const headings = [...body.querySelectorAll('h1')];
  const starts = (heading: Element) =>
    heading.textContent.trim() !== '' && copy.title.startsWith(heading.textContent.trim());
  // The first may be the name of the site.
  const title = headings.find(starts) ?? headings[0];
  if (title && root !== null && root.querySelector('h1') === null) {
    // Readability makes it a heading of the second level.
    const same = [...root.querySelectorAll('h2')].find((heading) => heading.textContent === title.textContent);
    if (same) same.replaceWith(title.cloneNode(true));
    else root.prepend(title.cloneNode(true));
  }
  return keep(root ?? body);
}

/** Turns the MathML of formulas into TeX. */
export function convertMathml(): null {
  const { captureCopy: copy, captureLibraries: libraries } = globalThis as unknown as World;
  for (const formula of copy.querySelectorAll('[data-mathml]')) {
    try {
      const tex = libraries.mathml.MathMLToLaTeX.convert(formula.getAttribute('data-mathml') ?? '');
      if (tex.trim() !== '') formula.textContent = tex.trim();
    } catch {
      // Its text stays.
    }
    formula.removeAttribute('data-mathml');
  }
  return null;
}

/** Writes the content as Markdown. */
export function writeMarkdown({ most }: { most: number }): string {
  const { captureRoot: root, captureLibraries: libraries } = globalThis as unknown as World;
  const service = new libraries.Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    hr: '---',
    emDelimiter: '*',
  });
  service.use(libraries.gfm.gfm);
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
  service.addRule('list item', {
    filter: 'li',
    replacement(content: string, node: Element) {
      const list = node.parentElement;
      const isOrdered = list?.nodeName === 'OL';
      const items = list ? [...list.children].filter(({ nodeName }) => nodeName === 'LI') : [];
      const first = Number(list?.getAttribute('start') ?? 1);
      const marker = isOrdered ? `${(Number.isInteger(first) ? first : 1) + items.indexOf(node)}. ` : '- ';
      const isLoose = /^\n/.test(content) && /\n\n/.test(content.trim());
      const text = content.trim().replace(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length)}`);
      return `${marker}${text}${node.nextElementSibling ? (isLoose ? '\n\n' : '\n') : ''}`;
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
      // A link around blocks cannot be written as one.
      if (/\n\s*\n/.test(text)) return `\n\n${text}\n\n`;
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
    filter: ['dd', 'figure', 'figcaption', 'summary', 'caption'],
    replacement: (content: string) => `\n\n${content.trim()}\n\n`,
  });
  const text = service.turndown(root);
  return `${text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`.slice(0, most);
}

/** Writes the content as plain text: blocks with an empty line between them. */
export function writeText({ most }: { most: number }): string {
  const { captureRoot: root } = globalThis as unknown as World;
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
  const { captureCopy: copy, captureRoot } = globalThis as unknown as World;
  // Another output may write the same copy.
  const root = captureRoot.cloneNode(true) as Element;
  for (const element of root.querySelectorAll('*')) {
    for (const name of ['class', 'id', 'role', 'itemprop', 'data-math', 'data-mathml']) {
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
  const { captureRoot: root } = globalThis as unknown as World;
  const plainHost = (name: string) => name.replace(/^www\./, '');
  const links = new Map<string, ContentLink>();
  for (const link of root.querySelectorAll('a[href]')) {
    const url = link.getAttribute('href') ?? '';
    const alt = [...link.querySelectorAll('img')].map((image) => image.getAttribute('alt') ?? '').join(' ');
    const text = ((link.textContent ?? '').trim() || alt).replace(/\s+/g, ' ').trim().slice(0, 1_000);
    const known = links.get(url);
    if (known) known.text ||= text;
    if (known || links.size >= most) continue;
    const rel = (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const isInternal = /^https?:/.test(url) && plainHost(new URL(url).host) === plainHost(host);
    links.set(url, { url, text, rel, internal: isInternal });
  }
  return [...links.values()];
}
