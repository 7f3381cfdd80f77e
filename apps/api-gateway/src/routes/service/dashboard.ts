import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ApiError } from '@capture/contract/errors';
import { pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

const compress = promisify(gzip);

/** What the dashboard's build leaves, seen from this app's `src` as from its `dist`. */
const builtFolder = path.join(import.meta.dirname, '..', '..', '..', '..', 'dashboard', 'dist');

/** What the build writes where a page's nonce belongs. */
const nonceInPage = /nonce-of-this-page/g;

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file's name begins with what it is and bears a hash of what is in it: it never changes. */
const assetName = /^[\w-]+(\.[\w-]+)*$/;

/**
 * Our own files alone, no script in the page. Style elements that the components make bear the page's nonce; a PDF is
 * shown from bytes that the page has read (`blob:`).
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    'frame-src blob:',
    'object-src blob:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

interface Asset {
  type: string;
  plain: Buffer;
  zipped: Buffer;
}

/** The dashboard: one page for all of its addresses, and the files that the page loads. */
export function dashboardRoutes(folder = builtFolder): Route[] {
  const assets = new Map<string, Asset>();
  const page = pageRoute(folder);
  return [
    { ...page, path: '/dashboard' },
    { ...assetRoute(folder, assets), path: '/dashboard/assets/:name' },
    { ...page, path: '/dashboard/*place' },
  ];
}

function pageRoute(folder: string): Omit<Route & { auth: 'none' }, 'path'> {
  return {
    method: 'GET',
    auth: 'none',
    cost: 'none',
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

function assetRoute(folder: string, assets: Map<string, Asset>): Omit<Route & { auth: 'none' }, 'path'> {
  return {
    method: 'GET',
    auth: 'none',
    cost: 'none',
    async handle({ req, res }) {
      const name = pathParameter(req, 'name');
      const asset = assets.get(name) ?? (await readAsset(folder, name));
      assets.set(name, asset);
      res.setHeader('Content-Type', asset.type);
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
      res.setHeader('Vary', 'Accept-Encoding');
      const zipped = req.acceptsEncodings('gzip') === 'gzip';
      if (zipped) res.setHeader('Content-Encoding', 'gzip');
      res.send(zipped ? asset.zipped : asset.plain);
    },
  };
}

/** @throws {ApiError} `NOT_FOUND` for a name that the build has not left. */
async function readAsset(folder: string, name: string): Promise<Asset> {
  const type = mediaTypes[path.extname(name)];
  if (!assetName.test(name) || type === undefined) return missing();
  const plain = await readFile(path.join(folder, 'assets', name)).catch(missing);
  return { type, plain, zipped: await compress(plain, { level: 9 }) };
}

function missing(): never {
  throw new ApiError('NOT_FOUND', 'There is nothing at this path.');
}
