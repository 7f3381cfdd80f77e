import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ContractForm } from '@capture/contract/forms/forms';
import type { Response } from 'express';
import type { Exchange } from '../../http/exchange.ts';
import type { Route } from '../../http/route.ts';
import { assetRoute, pathNotFound } from './asset-route.ts';

/** The output of the documentation's build; the path is the same from this app's `src` and `dist`. */
const builtFolder = path.join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'dist', 'public');

/** The build puts this URL into samples in place of the service's URL. */
const publicUrlInPage = 'https://public-url.invalid';

/** Allows only this service's files, and no inline script or style. The form on a page shows images that it fetched (`blob:`). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Served {
  form: ContractForm;
  links: { publicUrl: string };
}

/** Serves the guides and the API reference as a site, in the pages of this deployment's form. */
export function docsRoutes({ form, links }: Served, folder = builtFolder): Route[] {
  const pages = createPages(path.join(folder, form.name), links.publicUrl);
  const page = {
    method: 'GET',
    auth: 'none',
    tag: 'Service',
    responses: { 200: { description: 'The page.', media: ['text/html'] } },
  } as const;
  return [
    {
      ...page,
      path: '/docs',
      id: 'getDocs',
      summary: 'Open the documentation',
      description: 'Guides, and this document as pages with samples, search and a form that sends requests.',
      handle: ({ req, res }: Exchange) => sendPage(req, res, pages, 'index'),
    },
    assetRoute(path.join(folder, 'assets'), {
      path: '/docs/assets/:name',
      id: 'getDocsFile',
      summary: 'Get a file of the documentation',
    }),
    {
      ...page,
      path: '/docs/*page',
      id: 'getDocsPage',
      summary: 'Open a page of the documentation',
      description: 'A guide, such as `captures`, or an operation, such as `reference/takeScreenshot`.',
      handle: ({ req, res }: Exchange) => sendPage(req, res, pages, [req.params.page].flat().filter(Boolean).join('/')),
    },
  ];
}

interface PageBytes {
  plain: Buffer;
  zipped: Buffer;
}

/** Reads each page of a folder once. */
function createPages(folder: string, publicUrl: string) {
  const known = new Map<string, PageBytes>();
  return async (name: string): Promise<PageBytes | null> => {
    const found = known.get(name);
    if (found) return found;
    // File names are words with hyphens: no other name reaches the disk.
    if (!/^[\w-]+(\/[\w-]+)?$/.test(name)) return null;
    const text = await readFile(path.join(folder, `${name}.html`), 'utf8').catch(() => null);
    if (text === null) return null;
    const plain = Buffer.from(text.replaceAll(publicUrlInPage, escapeHtml(publicUrl)));
    const page = { plain, zipped: await promisify(gzip)(plain) };
    known.set(name, page);
    return page;
  };
}

type Pages = ReturnType<typeof createPages>;

const notFoundPage = '404';

async function sendPage(req: Exchange['req'], res: Response, pages: Pages, name: string): Promise<void> {
  const found = name === notFoundPage ? null : await pages(name);
  // A browser gets a page, and a program gets the usual error.
  const page = found ?? (req.accepts(['json', 'html']) === 'html' ? await pages(notFoundPage) : null);
  if (!page) throw pathNotFound();
  const zipped = req.acceptsEncodings('gzip') === 'gzip';
  res.status(found ? 200 : 404);
  res.setHeader('Content-Security-Policy', policy);
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Cache-Control', 'public, max-age=300');
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  res.setHeader('Vary', 'Accept, Accept-Encoding');
  if (zipped) res.setHeader('Content-Encoding', 'gzip');
  res.send(zipped ? page.zipped : page.plain);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
