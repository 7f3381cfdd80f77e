import type { Dependencies } from '../../dependencies.ts';
import type { Route } from '../../http/route.ts';
import { openApiDocument } from '../../openapi/document.ts';

/** @param routes the route table that this route is in. */
export function openApiRoute({ form, links }: Pick<Dependencies, 'form' | 'links'>, routes: () => Route[]): Route {
  let document: string | undefined;
  return {
    method: 'GET',
    path: '/openapi.json',
    auth: 'none',
    cost: 'none',
    async handle({ res }) {
      document ??= JSON.stringify(openApiDocument(form, routes(), links.publicUrl));
      res.setHeader('Content-Type', 'application/json; charset=utf-8');
      res.setHeader('Cache-Control', 'public, max-age=300');
      res.send(document);
    },
  };
}
