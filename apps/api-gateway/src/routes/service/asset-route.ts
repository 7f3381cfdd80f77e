import path from 'node:path';
import { ApiError } from '@capture/contract/errors';
import { pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

/** The media types of a build's files, by the extension of their names. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** A file never changes, because its name has a hash of its content. */
const neverChanges = { maxAge: '1y', immutable: true, etag: false, lastModified: false, acceptRanges: false } as const;

/** Serves the files that the pages of a built site load, each also as `.gz`. @param root the folder of these files. */
export function assetRoute(root: string, own: Pick<Route, 'path' | 'id' | 'summary'>): Route {
  return {
    ...own,
    method: 'GET',
    auth: 'none',
    tag: 'Service',
    description: 'Its name has a hash of its content, so it never changes.',
    responses: {
      200: { description: 'The file.', media: Object.values(mediaTypes).map((type) => type.split(';')[0] as string) },
    },
    async handle({ req, res }) {
      const name = pathParameter(req, 'name');
      const type = mediaTypes[path.extname(name)];
      if (type === undefined) throw pathNotFound();
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

export const pathNotFound = () => new ApiError('NOT_FOUND', 'There is nothing at this path.');
