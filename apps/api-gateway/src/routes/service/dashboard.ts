import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Route } from '../../http/route.ts';
import { assetRoute, pathNotFound } from './asset-route.ts';

/** The output of the dashboard's build; the path is the same from this app's `src` and `dist`. */
const builtFolder = path.join(import.meta.dirname, '..', '..', '..', '..', 'dashboard', 'dist');

/** The build puts this placeholder where a page's nonce belongs. */
const nonceInPage = /nonce-of-this-page/g;

/**
 * Allows only this service's files and no inline script. The page's nonce allows style elements that the components create; a PDF
 * is shown from bytes that the page has fetched (`blob:`).
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

/** Serves the dashboard: one page for all of its URLs, and the files that the page loads. */
export function dashboardRoutes(folder = builtFolder): Route[] {
  const page = pageRoute(folder);
  return [
    { ...page, path: '/dashboard', id: 'getDashboard', summary: 'Open the dashboard', description: 'Its first page.' },
    assetRoute(path.join(folder, 'assets'), {
      path: '/dashboard/assets/:name',
      id: 'getDashboardFile',
      summary: 'Get a file of the dashboard',
    }),
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

function missing(): never {
  throw pathNotFound();
}
