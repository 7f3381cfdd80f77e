import { platformVersion } from '@capture/runtime/platform-version';
import { z } from 'zod';
import type { Route } from '../../http/route.ts';

const link = (path: string, description: string) =>
  z.url().meta({ description, example: `https://captures.example.com${path}` });

const serviceIndex = z.strictObject({
  name: z.string().meta({ example: 'Capture platform' }),
  version: z.string(),
  api: link('/api/v1', 'Every path below it needs an API key.'),
  docs: link('/docs', 'Guides and the API reference.'),
  openapi: link('/openapi.json', 'The OpenAPI document.'),
  dashboard: link('/dashboard', 'Registers accounts too.'),
  mcp: link('/mcp', 'The Model Context Protocol, for agents.'),
  health: link('/readyz', 'Whether the gateway can serve requests.'),
});

/** Strangers open this path first: people go to the dashboard, and programs find all other URLs. */
export function serviceIndexRoute({ links }: { links: { publicUrl: string } }): Route {
  return {
    method: 'GET',
    path: '/',
    auth: 'none',
    id: 'getIndex',
    tag: 'Service',
    summary: 'List the service’s URLs',
    description: 'The URLs of the API, its documentation and the dashboard. Browsers are redirected to the dashboard.',
    responses: {
      200: { description: 'The name, the version and the URLs.', json: serviceIndex },
      302: {
        description: 'If the client prefers HTML to JSON: `Location` is the dashboard.',
        headers: ['Location'],
      },
    },
    async handle({ req, res }) {
      res.setHeader('Vary', 'Accept');
      if (req.accepts(['json', 'html']) === 'html') return res.redirect(302, '/dashboard');
      const { publicUrl } = links;
      res.json({
        name: 'Capture platform',
        version: platformVersion,
        api: `${publicUrl}/api/v1`,
        docs: `${publicUrl}/docs`,
        openapi: `${publicUrl}/openapi.json`,
        dashboard: `${publicUrl}/dashboard`,
        mcp: `${publicUrl}/mcp`,
        health: `${publicUrl}/readyz`,
      } satisfies z.output<typeof serviceIndex>);
    },
  };
}
