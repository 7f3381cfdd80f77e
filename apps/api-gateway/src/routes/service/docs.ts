import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ApiError } from '@capture/contract/errors';
import type { Response } from 'express';
import { pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Capture platform: API</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reader"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** The page sends no requests and accepts no key: keys are for servers, never for browsers. */
const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reader',
  deepLinking: true,
  showCommonExtensions: true,
  supportedSubmitMethods: [],
  plugins: [() => ({ wrapComponents: { authorizeBtn: () => () => null, authorizeOperationBtn: () => () => null } })],
  validatorUrl: null,
});
`;

/** Allows our own files only and no inline script; the images in Swagger UI's style sheet are `data:`. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const swaggerFolder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files of Swagger UI that the page loads, with their types. */
const swaggerFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'favicon-32x32.png': 'image/png',
};

/** The OpenAPI document as a page, and the files that the page loads. */
export function docsRoutes(): Route[] {
  return [
    {
      method: 'GET',
      path: '/docs',
      auth: 'none',
      id: 'getDocs',
      tag: 'Service',
      summary: 'This document as a web page',
      responses: { 200: { description: 'The page.', media: ['text/html'] } },
      async handle({ res }) {
        send(res, 'text/html', page);
      },
    },
    {
      method: 'GET',
      path: '/docs/:name',
      auth: 'none',
      id: 'getDocsFile',
      tag: 'Service',
      summary: 'A file of the documentation page',
      responses: { 200: { description: 'The file.', media: ['text/css', 'text/javascript', 'image/png'] } },
      async handle({ req, res }) {
        const name = pathParameter(req, 'name');
        if (name === 'start.js') return send(res, 'text/javascript', start);
        const type = Object.hasOwn(swaggerFiles, name) ? swaggerFiles[name] : undefined;
        if (type === undefined) throw new ApiError('NOT_FOUND', 'There is nothing at this path.');
        send(res, type, await readFile(path.join(swaggerFolder, name)));
      },
    },
  ];
}

function send(res: Response, type: string, body: string | Buffer): void {
  res.setHeader('Content-Security-Policy', policy);
  res.setHeader('Content-Type', type.startsWith('image/') ? type : `${type}; charset=utf-8`);
  res.setHeader('Cache-Control', 'public, max-age=300');
  res.send(body);
}
