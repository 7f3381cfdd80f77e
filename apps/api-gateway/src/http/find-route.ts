import { didYouMean } from '@capture/contract/did-you-mean';
import { ApiError } from '@capture/contract/errors';
import type { Request, Response } from 'express';
import type { Route } from './route.ts';

/** The routes of one path, and the key that every request to that path needs, whatever its method. */
export interface PathRoutes {
  path: string;
  auth: Route['auth'];
  signInAt?: Route['signInAt'];
  protocol?: Route['protocol'];
  routes: Route[];
  /** For a path without routes: the paths that a client may have meant. */
  similar?: readonly PathRoutes[];
}

export function groupByPath(routes: readonly Route[]): PathRoutes[] {
  const groups = new Map<string, PathRoutes>();
  for (const route of routes) {
    const group = groups.get(route.path) ?? {
      path: route.path,
      auth: route.auth,
      signInAt: route.signInAt,
      protocol: route.protocol,
      routes: [],
    };
    if (group.auth !== route.auth)
      throw new Error(`${route.path} needs different authentication for different methods`);
    group.routes.push(route);
    groups.set(route.path, group);
  }
  return [...groups.values()];
}

/** @throws {ApiError} `NOT_FOUND` for an unknown path, `METHOD_NOT_ALLOWED` with `Allow` for other methods of a known one. */
export function routeOf(req: Request, res: Response, { path, routes, similar = [] }: PathRoutes): Route {
  const [first] = routes;
  if (!first) throw pathNotFound(req, similar);
  // Outside the API a HEAD is a GET without its body, as load balancers and crawlers expect.
  const method = req.method === 'HEAD' && !/^\/(api|compat)\//.test(path) ? 'GET' : req.method;
  const route = routes.find((candidate) => candidate.method === method);
  if (route) return route;
  if (first.otherMethods === 'not found') throw pathNotFound(req, []);
  const allowed = routes.map((candidate) => candidate.method);
  res.setHeader('Allow', allowed.join(', '));
  throw new ApiError('METHOD_NOT_ALLOWED', `This path supports ${allowed.join(' and ')}, not ${req.method}.`);
}

function pathNotFound(req: Request, similar: readonly PathRoutes[]): ApiError {
  const path = `${req.baseUrl}${req.path}`;
  // All paths of the API have this beginning, so it does not show which path the client meant.
  const [start] = /^\/api\/v1\//.exec(path) ?? [''];
  const known = similar
    .map((each) => each.path)
    .filter((each) => each.startsWith(start) && !each.includes(':'))
    .map((each) => each.slice(start.length));
  // `/screenshot` and `/api/v2/screenshot` both mean `/api/v1/screenshot`.
  const name = path.split('/').at(-1);
  const namesake = start === '' && name && known.find((each) => each.endsWith(`/${name}`));
  const meant = namesake ? `; did you mean ${namesake}?` : didYouMean(path.slice(start.length), known);
  const hint = meant === '' ? '.' : meant.replace('did you mean ', `did you mean ${start}`);
  return new ApiError('NOT_FOUND', `There is nothing at this path${hint} /docs lists all paths.`);
}
