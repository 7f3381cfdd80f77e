import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '@capture/contract/errors';
import { pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

/** The output of the dashboard's build; the same path from this app's `src` and `dist`. */
const builtFolder = path.join(import.meta.dirname, '..', '..', '..', '..', 'dashboard', 'dist');

/** The build's placeholder for a page's nonce. */
const nonceInPage = /nonce-of-this-page/g;

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * Allows our own files only and no inline script. Style elements that the components create carry the page's nonce; a PDF is
 * shown from bytes that the page has fetched (`blob:`).
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    'frame-src blob:',
    'object-src blob:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The dashboard: one page for all of its URLs, and the files that the page loads. */
export function dashboardRoutes(folder = builtFolder): Route[] {
  const page = pageRoute(folder);
  return [
    { ...page, path: '/dashboard', id: 'getDashboard', summary: 'Open the dashboard', description: 'Its first page.' },
    assetRoute(path.join(folder, 'assets')),
    {
      ...page,
      path: '/dashboard/*place',
      id: 'getDashboardPlace',
      summary: 'Open a page of the dashboard',
      description: 'The same HTML at every URL; the page reads the URL to decide what it shows.',
    },
  ];
}

function pageRoute(folder: string): Omit<Route & { auth: 'none' }, 'path' | 'id' | 'summary'> {
  return {
    method: 'GET',
    auth: 'none',
    tag: 'Service',
    responses: { 200: { description: 'The page.', media: ['text/html'] } },
    async handle({ res }) {
      const page = await readFile(path.join(folder, 'index.html'), 'utf8').catch(missing);
      const nonce = randomBytes(16).toString('base64');
      res.setHeader('Content-Security-Policy', policy(nonce));
      res.setHeader('Content-Type', 'text/html; charset=utf-8');
      res.setHeader('Cache-Control', 'no-store');
      res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
      res.send(page.replace(nonceInPage, nonce));
    },
  };
}

function assetRoute(root: string): Route {
  return {
    method: 'GET',
    path: '/dashboard/assets/:name',
    auth: 'none',
    id: 'getDashboardFile',
    tag: 'Service',
    summary: 'Get a file of the dashboard',
    description: 'Its name has a hash of its content, so it never changes.',
    responses: {
      200: { description: 'The file.', media: ['text/css', 'text/javascript', 'image/svg+xml', 'font/woff2'] },
    },
    async handle({ req, res }) {
      const name = pathParameter(req, 'name');
      const type = mediaTypes[path.extname(name)];
      if (type === undefined) return missing();
      const zipped = req.acceptsEncodings('gzip') === 'gzip';
      const headers = {
        'Content-Type': type,
        'Cross-Origin-Resource-Policy': 'same-origin',
        Vary: 'Accept-Encoding',
        ...(zipped && { 'Content-Encoding': 'gzip' }),
      };
      await new Promise<void>((resolve, reject) => {
        const done = (error?: Error) => (error && !res.headersSent ? reject(pathNotFound()) : resolve());
        res.sendFile(zipped ? `${name}.gz` : name, { ...neverChanges, root, headers }, done);
      });
    },
  };
}

/** A file's name carries a hash of its content. */
const neverChanges = { maxAge: '1y', immutable: true, etag: false, lastModified: false, acceptRanges: false } as const;

const pathNotFound = () => new ApiError('NOT_FOUND', 'There is nothing at this path.');

function missing(): never {
  throw pathNotFound();
}
