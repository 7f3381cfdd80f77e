import { ApiError, invalidRequest } from '@capture/contract/errors';
import { newId } from '@capture/database/ids';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { authenticate } from './authenticate.ts';
import { authenticateOperator } from './authenticate-operator.ts';
import type { Dependencies } from './dependencies.ts';
import { sendError, toApiError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.ts';
import { readJsonBody } from './read-body.ts';
import type { Route } from './route.ts';
import { routeTable } from './route-table.ts';

/** The routes of one path, and whose key every request to that path needs, whatever its method. */
interface PathRoutes {
  path: string;
  auth: Route['auth'];
  routes: Route[];
}

/**
 * The pipeline of every request: an id and a log line → whose key → the method → the body → the handler. Whatever is
 * thrown on the way becomes the one error body.
 */
export function createApp(dependencies: Dependencies): Express {
  const metrics = createHttpMetrics(dependencies.metrics, () => dependencies.captureWaiter.size);
  const app = express();
  app.disable('x-powered-by');
  // Answers are made for one account and never the same twice.
  app.disable('etag');
  app.set('trust proxy', dependencies.trustProxy);
  // Queries are read from the URL by the schema of their route.
  app.set('query parser', false);
  // What the API answers is data: a browser that is led to it may load, run and embed nothing.
  app.use(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
      xFrameOptions: { action: 'deny' },
      crossOriginResourcePolicy: { policy: 'cross-origin' },
    }),
  );

  for (const group of groupByPath(routeTable(dependencies))) app.all(group.path, serve(dependencies, metrics, group));
  // Under these paths nothing is told to somebody without a key, not even that there is nothing.
  app.use('/api/v1', serve(dependencies, metrics, { path: '/api/v1/*', auth: 'key', routes: [] }));
  app.use('/api/operator', serve(dependencies, metrics, { path: '/api/operator/*', auth: 'operator', routes: [] }));
  app.use(serve(dependencies, metrics, { path: '*', auth: 'none', routes: [] }));
  return app;
}

function groupByPath(routes: readonly Route[]): PathRoutes[] {
  const groups = new Map<string, PathRoutes>();
  for (const route of routes) {
    const group = groups.get(route.path) ?? { path: route.path, auth: route.auth, routes: [] };
    if (group.auth !== route.auth) throw new Error(`${route.path} needs different keys for different methods`);
    group.routes.push(route);
    groups.set(route.path, group);
  }
  return [...groups.values()];
}

function serve(dependencies: Dependencies, metrics: HttpMetrics, group: PathRoutes): RequestHandler {
  return async (req, res) => {
    const exchange: Exchange = { req, res, requestId: newId('req'), facts: {} };
    res.setHeader('X-Request-Id', exchange.requestId);
    noteEnd(dependencies, metrics, exchange, group.path);
    try {
      await run(dependencies, exchange, group);
    } catch (error) {
      refuse(exchange, error);
    }
  };
}

async function run(dependencies: Dependencies, exchange: Exchange, group: PathRoutes): Promise<void> {
  const { req, res } = exchange;
  const metered = group.routes.some((route) => route.method === req.method && route.cost !== 'none');
  const caller = group.auth === 'key' ? await authenticate(dependencies, exchange, metered) : null;
  if (group.auth === 'operator') await authenticateOperator(dependencies, exchange);

  const route = routeOf(req, res, group);
  if (route.showsSecret && req.get('Idempotency-Key') !== undefined) {
    throw invalidRequest([{ field: 'Idempotency-Key', message: 'is not taken where the answer shows a secret' }]);
  }
  if (route.body === 'json') await readJsonBody(req, res);
  if (route.auth !== 'key') return route.handle(exchange);
  if (!caller) throw new Error(`${group.path} has no caller`);
  return route.handle(Object.assign(exchange, { caller }));
}

/** @throws {ApiError} `NOT_FOUND` for a path that is none of ours, `METHOD_NOT_ALLOWED` with `Allow` for its other methods. */
function routeOf(req: Request, res: Response, { path, routes }: PathRoutes): Route {
  const [first] = routes;
  if (!first) throw nothingHere();
  // Outside the API a HEAD is a GET whose body is left out, as load balancers and crawlers expect.
  const method = req.method === 'HEAD' && !path.startsWith('/api/') ? 'GET' : req.method;
  const route = routes.find((candidate) => candidate.method === method);
  if (route) return route;
  if (first.otherMethods === 'not found') throw nothingHere();
  const allowed = routes.map((candidate) => candidate.method).join(', ');
  res.setHeader('Allow', allowed);
  throw new ApiError('METHOD_NOT_ALLOWED', `This path takes ${allowed}.`);
}

const nothingHere = () => new ApiError('NOT_FOUND', 'There is nothing at this path.');

function refuse(exchange: Exchange, thrown: unknown): void {
  const { res, facts } = exchange;
  const error = toApiError(thrown);
  facts.error_code = error.code;
  if (error.cause !== undefined) facts.err = error.cause;
  // An answer that has begun cannot be taken back; cutting it short tells the client that it is not whole.
  if (res.headersSent) res.destroy();
  else sendError(res, exchange.requestId, error);
}

/** One wide line a request, and its figures, when the answer has gone out or the client has gone away. */
function noteEnd({ log }: Dependencies, metrics: HttpMetrics, exchange: Exchange, route: string): void {
  const { req, res, facts } = exchange;
  const startedAt = performance.now();
  res.once('close', () => {
    const durationMs = performance.now() - startedAt;
    const labels = { method: knownMethod(req.method), route };
    metrics.requests.inc({ ...labels, status: res.statusCode });
    metrics.durations.observe(labels, durationMs / 1_000);
    const { err, ...rest } = facts;
    const line = {
      request_id: exchange.requestId,
      ...labels,
      status: res.statusCode,
      duration_ms: Math.round(durationMs * 10) / 10,
      client: req.ip,
      ...(!res.writableFinished && { cut_short: true }),
      ...rest,
      ...(err !== undefined && { err }),
    };
    if (res.statusCode >= 500) log.error(line, 'request');
    else log.info(line, 'request');
  });
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A client can send any word for a method; a metric's label must not grow with them. */
function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}
