import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '@capture/contract/errors';
import type { Response } from 'express';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { queryOf } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { boardPage, readPageFiles } from '../../operator/board-page.ts';
import { QueueBoard } from '../../operator/queue-board.ts';

const boardPath = '/operator/queues';

/** The dashboard's queue page: a browser without a session signs in there and finds the link to the board. */
const signInAt = '/dashboard/operator/queues';

/** The inline style of the board's Redis logo. Another version of Bull Board may have another style. */
const logoStyle = "'sha256-r2N1TB/gHbBtBZFKg7ejmq1acVSREzucTAEw6ga4hoU='";

/** Allows only this service's files and no inline script. The nonce allows styles that the board's libraries create. */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src 'self' ${logoStyle} 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};

/** Matches a path without segments that begin with a dot. */
const fileName = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

export function operatorBoardRoutes({ redis }: { redis: Redis }): Route[] {
  const board = new QueueBoard(redis);
  const page: Omit<Route & { auth: 'operator' }, 'path' | 'id' | 'summary'> = {
    method: 'GET',
    auth: 'operator',
    tag: 'Operator',
    responses: {
      200: { description: 'The page.', media: ['text/html'] },
      303: { description: 'A browser without a session is redirected to the sign-in page.' },
    },
    errors: ['OVERLOADED'],
    signInAt,
    async handle({ res }) {
      const { folder, config } = await board.open();
      const template = await readFile(path.join(folder, '..', 'index.ejs'), 'utf8');
      const nonce = randomBytes(16).toString('base64');
      res.setHeader('Content-Security-Policy', policy(nonce));
      send(res, 'text/html; charset=utf-8', boardPage(readPageFiles(template), config, nonce));
    },
  };
  return [
    {
      ...page,
      path: boardPath,
      id: 'getQueueBoard',
      summary: 'Open the queue browser',
      description: 'Shows the queues in Redis, which hold only ids. Read-only.',
    },
    {
      method: 'GET',
      path: `${boardPath}/static/*file`,
      auth: 'operator',
      id: 'getQueueBoardFile',
      tag: 'Operator',
      summary: 'Get a file of the queue browser',
      description: 'A script, style or image of the queue browser.',
      responses: {
        200: {
          description: 'The file.',
          media: ['text/css', 'text/javascript', 'image/svg+xml', 'application/json'],
        },
      },
      errors: ['NOT_FOUND', 'OVERLOADED'],
      async handle({ req, res }) {
        const { folder } = await board.open();
        const file = req.path.slice(`${boardPath}/static/`.length);
        const type = mediaTypes[path.extname(file)];
        if (type === undefined || !fileName.test(file)) throw pathNotFound();
        send(res, type, await readFile(path.join(folder, file)).catch(() => Promise.reject(pathNotFound())));
      },
    },
    {
      method: 'GET',
      path: `${boardPath}/api/*call`,
      auth: 'operator',
      id: 'askQueueBoard',
      tag: 'Operator',
      summary: 'Call the queue browser’s API',
      description: 'Bull Board’s own format, which changes with its version.',
      responses: { 200: { description: 'Bull Board’s response.', json: z.record(z.string(), z.unknown()) } },
      errors: ['NOT_FOUND', 'OVERLOADED'],
      async handle({ req, res }) {
        res.json(await board.handle(req.path.slice(boardPath.length), Object.fromEntries(queryOf(req))));
      },
    },
    {
      ...page,
      path: `${boardPath}/*place`,
      id: 'getQueueBoardPlace',
      summary: 'Open a page of the queue browser',
      description: 'The same HTML at every URL; the page reads the URL to decide what it shows.',
    },
  ];
}

/** Sends a response for the signed-in operator only: no cache may store it. */
function send(res: Response, type: string, body: string | Buffer): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  res.send(body);
}

const pathNotFound = () => new ApiError('NOT_FOUND', 'There is nothing at this path.');
