import { readFileSync } from 'node:fs';
import path from 'node:path';
import Eleventy from '@11ty/eleventy';
import { type OpenApiDocument, type Operation, operationsOf } from '../reference/document.ts';
import { eventsPage } from '../site/events-page.ts';
import { homePage } from '../site/home-page.ts';
import { html } from '../site/html.ts';
import { type Assets, layout, type Page } from '../site/layout.ts';
import { article, type DocumentImage } from '../site/markdown.ts';
import { about, elsewhere, type Navigation, sections } from '../site/navigation.ts';
import { operationPage } from '../site/operation-page.ts';
import { entriesOf, excerptOf, plainText, searchIndex } from '../site/search-index.ts';
import type { SearchEntry } from '../site/search-options.ts';

const repository = path.join(import.meta.dirname, '..', '..', '..', '..');
const guidesFolder = path.join(repository, 'docs');

/** This URL stands for the service's URL in samples: the gateway replaces it by its own. */
const publicUrl = 'https://public-url.invalid';

/** Writes the pages of one form: the guides, and a page for every operation. */
export async function writeSite(
  document: OpenApiDocument,
  output: string,
  images: ReadonlyMap<string, DocumentImage>,
  writeAssets: (searchIndex: string) => Assets,
): Promise<void> {
  const operations = operationsOf(document);
  const names = [...sections, about].flatMap((section) => section.guides);
  const titles = new Map(names.map((name) => [name, titleIn(readSource(name))]));
  const guides = names.map((name) => readGuide(name, images, titles));
  const navigation = navigationOf(document, operations, guides);
  const pages = operations.map((operation) => referencePage(document, operation));
  const events = eventsPage(document);
  const entries = [
    ...guides.flatMap(({ path: at, article: text }) => entriesOf(text, at)),
    ...pages.map((page, index) => entryOf(page, operations[index]!)),
  ];
  const assets = writeAssets(searchIndex(entries));
  const write = (page: Page) => layout(page, navigation, assets);

  const eleventy = new Eleventy(path.relative('.', guidesFolder), path.relative('.', output), {
    quietMode: true,
    configPath: null,
    config(configuration) {
      configuration.setUseGitIgnore(false);
      // Laboratory notes are for developers of the platform, so they stay in the repository.
      configuration.ignores.add(path.join(path.relative('.', guidesFolder), 'lab', '**'));
      configuration.addGlobalData(
        'permalink',
        () =>
          ({ page }: { page: { filePathStem: string } }) =>
            `${page.filePathStem}.html`,
      );
      configuration.addExtension('md', {
        outputFileExtension: 'html',
        compile(_content, file) {
          const at = path.relative(guidesFolder, path.resolve(file)).replace(/\.md$/, '');
          const guide = guides.find((one) => one.path === at);
          if (!guide) throw new Error(`docs/${at}.md is in no section of navigation.ts`);
          return () => write(guidePage(guide));
        },
      });
      const add = (page: Page) =>
        configuration.addTemplate(`${page.path || 'index'}.11ty.js`, () => write(page), {
          permalink: `${page.path || 'index'}.html`,
        });
      add(home(navigation));
      add(notFound);
      add({
        path: 'reference/events',
        title: 'Webhook events',
        description: 'The events that webhooks deliver.',
        ...events,
      });
      for (const page of pages) add(page);
      for (const guide of guides) if (elsewhere.has(guide.path)) add(guidePage(guide));
    },
  });
  await eleventy.write();
}

const fileOf = (name: string) => elsewhere.get(name) ?? `${name}.md`;

/** Guides for users show the URLs of this deployment; guides for operators also name the default. */
const forUsers = new Set(sections.slice(0, 2).flatMap(({ guides }) => guides));

function readSource(name: string): string {
  const source = readFileSync(path.join(guidesFolder, fileOf(name)), 'utf8');
  return forUsers.has(name) ? source.replaceAll('http://localhost:3000', publicUrl) : source;
}

const titleIn = (source: string) => /^# (.*)$/m.exec(source)?.[1] ?? '';

function readGuide(name: string, images: ReadonlyMap<string, DocumentImage>, titles: ReadonlyMap<string, string>) {
  return { path: name, article: article(readSource(name), fileOf(name), images, titles) };
}

type Guide = ReturnType<typeof readGuide>;

function guidePage({ path: at, article: { title, content, headings } }: Guide): Page {
  const [, paragraph = title] = /<p>(.*?)<\/p>/s.exec(content.text) ?? [];
  return { path: at, title, description: plainText(paragraph), content, headings };
}

function referencePage(document: OpenApiDocument, operation: Operation): Page {
  const { operationId, summary, description = summary } = operation;
  const content = operationPage(document, operation, publicUrl);
  return { path: `reference/${operationId}`, title: summary, description, content, isWide: true };
}

function home(navigation: Navigation): Page {
  const description = 'Guides and API reference of the capture platform.';
  return { path: '', title: 'Documentation', description, content: homePage(navigation), isWide: true };
}

const notFound: Page = {
  path: '404',
  title: 'Page not found',
  description: 'There is no page at this URL.',
  content: html`<h1>Page not found</h1><p>There is no page at this URL. Search, or start at <a href="/docs">the first page</a>.</p>`,
};

function navigationOf(document: OpenApiDocument, operations: Operation[], guides: Guide[]): Navigation {
  const titleOf = (name: string) => guides.find((guide) => guide.path === name)?.article.title ?? name;
  const events = { path: 'reference/events', title: 'Webhook events' };
  const linked = ({ title, guides: names }: (typeof sections)[number]) => ({
    title,
    links: names.map((name) => ({ path: name, title: titleOf(name) })),
  });
  return [
    ...sections.map(linked),
    ...document.tags.map(({ name }) => ({
      title: `API: ${name}`,
      links: [
        ...operations
          .filter(({ tags: [tag] }) => tag === name)
          .map(({ operationId, summary, method }) => ({ path: `reference/${operationId}`, title: summary, method })),
        ...(name === 'Webhooks' ? [events] : []),
      ],
    })),
    linked(about),
  ];
}

/** Indexes an operation by its path, its summary and the names and descriptions of its fields. */
function entryOf({ path: at, title, description, content }: Page, { method, path: route }: Operation): SearchEntry {
  const [, body = ''] = content.text.split('<div class="operation-body">');
  const text = plainText(body);
  return { url: `/docs/${at}`, title, page: `${method} ${route}`, text, excerpt: excerptOf(description) };
}
