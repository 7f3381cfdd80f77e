import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { codeBlock } from './code.ts';
import { diagram } from './diagram.ts';
import { Html } from './html.ts';
import { elsewhere } from './navigation.ts';

/** A heading that links can name. */
export interface Heading {
  level: number;
  id: string;
  text: string;
}

export interface Article {
  title: string;
  content: Html;
  headings: Heading[];
}

/** An image of the documents, with its size in pixels. */
export interface DocumentImage {
  url: string;
  width: number;
  height: number;
}

type Tokens = ReturnType<MarkdownIt['parse']>;

const markdown = new MarkdownIt({ html: true });

markdown.renderer.rules.fence = (tokens, index) => {
  const { content, info } = tokens[index]!;
  const language = info.trim().split(' ')[0] ?? '';
  return (language === 'mermaid' ? diagram(content) : codeBlock(content.trimEnd(), language)).text;
};
// Wide tables scroll separately, and a keyboard can scroll them.
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

export const inline = (text: string): Html => new Html(markdown.renderInline(text));
export const block = (text: string): Html => new Html(markdown.render(text));

/**
 * @param file path of the document below `docs`: `guides/first-screenshot.md`.
 * @param images by path below `docs`.
 * @param titles of guides by name, for links whose text is the name of a file.
 */
export function article(
  source: string,
  file: string,
  images: ReadonlyMap<string, DocumentImage>,
  titles: ReadonlyMap<string, string> = new Map(),
): Article {
  const tokens = markdown.parse(source, {});
  const headings = nameHeadings(tokens);
  for (const token of tokens) useClassForAlignment(token);
  nameNoEmptyColumns(tokens);
  for (const token of tokens) {
    rewriteLinks(token.children ?? [], file, titles);
    rewriteImages(token.children ?? [], file, images);
  }
  return {
    title: headings.find(({ level }) => level === 1)?.text ?? file,
    content: new Html(markdown.renderer.render(tokens, markdown.options, {})),
    headings,
  };
}

/** Gives every heading the same id as GitHub, so that the documents' links work in both places. */
function nameHeadings(tokens: Tokens): Heading[] {
  const uses = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('');
    const name = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-');
    const used = uses.get(name) ?? 0;
    uses.set(name, used + 1);
    const id = used === 0 ? name : `${name}-${used}`;
    token.attrSet('id', id);
    return [{ level: Number(token.tag.slice(1)), id, text }];
  });
}

/** Turns an empty corner of a table into a cell that is no heading. */
function nameNoEmptyColumns(tokens: Tokens): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') continue;
    token.tag = 'td';
    tokens[index + 2]!.tag = 'td';
  }
}

/** Aligns columns by a class, because the policy refuses inline styles. */
function useClassForAlignment(token: Tokens[number]): void {
  const [, side] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? [];
  if (side !== undefined) token.attrs = [['class', side]];
}

/** Turns links to other guides into links of the site, which has no files of the repository: it only names them. */
function rewriteLinks(tokens: Tokens, file: string, titles: ReadonlyMap<string, string>): void {
  for (const [index, token] of tokens.entries()) {
    const href = token.attrGet('href');
    if (token.type !== 'link_open' || href === null || /^(https?:|mailto:|#)/.test(href)) continue;
    const [target = '', anchor] = path.posix.join(path.posix.dirname(file), href).split('#');
    const guide = guideAt(target);
    if (guide !== null) {
      token.attrSet('href', `/docs/${guide}${anchor === undefined ? '' : `#${anchor}`}`);
      const text = tokens[index + 1];
      if (text?.content.endsWith('.md')) text.content = titles.get(guide) ?? text.content;
      continue;
    }
    const end = tokens.findIndex((other, at) => at > index && other.type === 'link_close');
    token.tag = 'span';
    token.attrs = [
      ['class', 'source'],
      ['title', target.replaceAll('../', '')],
    ];
    tokens[end]!.tag = 'span';
  }
}

/** Returns the name of the guide in a file; null if the site does not have it. */
function guideAt(file: string): string | null {
  for (const [name, at] of elsewhere) if (file === at) return name;
  // The link may come from a file at the top of the repository.
  const below = file.replace(/^\.\.\/docs\//, '');
  return below.endsWith('.md') && !/^(\.\.|lab)\//.test(below) ? below.slice(0, -'.md'.length) : null;
}

/** Loads images when the reader comes near. Their size keeps the text from moving then. */
function rewriteImages(tokens: Tokens, file: string, images: ReadonlyMap<string, DocumentImage>): void {
  for (const token of tokens.filter(({ type }) => type === 'image')) {
    const source = path.posix.join(path.posix.dirname(file), token.attrGet('src') ?? '');
    const image = images.get(source);
    if (image === undefined) throw new Error(`docs/${file} shows ${source}, which is not in docs/images`);
    token.attrSet('src', image.url);
    token.attrSet('width', String(image.width));
    token.attrSet('height', String(image.height));
    token.attrSet('loading', 'lazy');
  }
}
