import { latestCopy } from './latest-copy.ts';

/** Attributes that only our scripts need. */
const inner = ['class', 'id', 'role', 'itemprop', 'data-math', 'data-mathml', 'data-task'];

/** Writes the content as a document without scripts, styles and classes: a body of at most `most` characters. */
export function writeHtml({ most }: { most: number }): string {
  const { document: copy, root } = latestCopy();
  // Another output may write the same copy.
  const written = root.cloneNode(true) as Element;
  for (const element of written.querySelectorAll('*')) {
    const isCode = element.localName === 'code' && /^language-/.test(element.className);
    for (const name of inner) if (!(name === 'class' && isCode)) element.removeAttribute(name);
  }
  const body = written.innerHTML.slice(0, most).trim();
  return `<!DOCTYPE html>\n${openingTag(copy)}\n${head(copy).outerHTML}\n<body>\n${body}\n</body>\n</html>\n`;
}

function openingTag(copy: Document): string {
  const html = copy.createElement('html');
  if (copy.documentElement.lang !== '') html.lang = copy.documentElement.lang;
  return html.outerHTML.replace('</html>', '');
}

function head(copy: Document): Element {
  const element = copy.createElement('head');
  const charset = copy.createElement('meta');
  charset.setAttribute('charset', 'utf-8');
  const title = copy.createElement('title');
  title.textContent = copy.title;
  element.append(charset, title);
  return element;
}
