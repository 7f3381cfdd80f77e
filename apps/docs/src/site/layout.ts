import { Html, html } from './html.ts';
import type { Heading } from './markdown.ts';
import type { Navigation } from './navigation.ts';

/** URLs of the files that every page loads. */
export interface Assets {
  script: string;
  colorScheme: string;
  style: string;
  icon: string;
  searchIndex: string;
}

export interface Page {
  /** The path below `/docs`: empty for the first page. */
  path: string;
  title: string;
  description: string;
  content: Html;
  headings?: readonly Heading[];
  /** Whether the content has its own columns. */
  isWide?: true;
}

/** A page: header, navigation, content and its outline. It has no inline script and no inline style. */
export function layout(page: Page, navigation: Navigation, assets: Assets): string {
  const outline = (page.headings ?? []).filter(({ level }) => level === 2);
  const title = page.path === '' ? 'Capture platform: documentation' : `${page.title} · Capture platform`;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.description}">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${assets.icon}">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.colorScheme}"></script>
<script type="module" src="${assets.script}"></script>
</head>
<body data-search="${assets.searchIndex}">
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<button class="quiet menu" type="button" popovertarget="navigation" aria-label="Menu">${icons.menu}</button>
<a class="brand" href="/docs"><img src="${assets.icon}" alt="" width="26" height="26">Capture platform <span>Docs</span></a>
<button class="search" type="button" data-open-search aria-label="Search" aria-keyshortcuts="/">${icons.search}<span>Search</span><kbd>/</kbd></button>
<a class="quiet" href="/dashboard">Dashboard</a>
<button class="quiet" type="button" data-color-scheme aria-label="Change colour scheme">${icons.scheme}</button>
</header>
<div class="columns${page.isWide ? ' wide' : ''}">
<nav id="navigation" class="navigation" popover aria-label="Documentation">
${navigation.map((section) => sectionOf(section, page.path))}
</nav>
<main id="content" tabindex="-1">
${page.content}
</main>
${
  !page.isWide &&
  html`<nav class="outline" aria-label="On this page">
${outline.length > 1 && html`<p>On this page</p><ul>${outline.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`}
</nav>`
}
</div>
<dialog class="search-dialog" aria-label="Search">
<input type="text" aria-label="Search the documentation" placeholder="Search guides and API reference" autocomplete="off" spellcheck="false">
<p class="search-status" role="status"></p>
<ul class="results"></ul>
</dialog>
</body>
</html>
`;
  return document.text;
}

function sectionOf({ title, links }: Navigation[number], current: string): Html {
  const isOpen = links.some(({ path }) => path === current) || !links.some(({ method }) => method);
  return html`<details${isOpen && new Html(' open')}><summary>${title}</summary><ul>
${links.map(
  ({ path, title: name, method }) =>
    html`<li><a href="/docs/${path}"${path === current && new Html(' aria-current="page"')}>${method && html`<span class="method ${method.toLowerCase()}">${method}</span> `}<span>${name}</span></a></li>
`,
)}</ul></details>
`;
}

const icon = (paths: string) =>
  new Html(
    `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true">${paths}</svg>`,
  );

const icons = {
  menu: icon('<path d="M4 7h16M4 12h16M4 17h16"/>'),
  search: icon('<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4 4"/>'),
  scheme: icon('<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/>'),
};
