import type { ContractForm } from '@capture/contract/forms/forms';
import { z } from 'zod';
import type { Route } from '../../http/route.ts';
import { openApiDocument } from '../../openapi/document.ts';

/** @param routes the route table that contains this route. */
export function openApiRoute(
  { form, links }: { form: ContractForm; links: { publicUrl: string } },
  routes: () => Route[],
): Route {
  // All responses share these bytes: with a text, each response would have a copy for as long as its client reads.
  let document: Buffer | undefined;
  return {
    method: 'GET',
    path: '/openapi.json',
    auth: 'none',
    id: 'getDocument',
    tag: 'Service',
    summary: 'Get the OpenAPI document',
    description: 'OpenAPI 3.1, of this deployment’s API profile. Generate clients from it.',
    responses: { 200: { description: 'The document, OpenAPI 3.1.', json: z.record(z.string(), z.unknown()) } },
    async handle({ res }) {
      document ??= Buffer.from(JSON.stringify(openApiDocument(form, routes(), links.publicUrl)));
      res.setHeader('Content-Type', 'application/json; charset=utf-8');
      res.setHeader('Cache-Control', 'public, max-age=300');
      res.send(document);
    },
  };
}
