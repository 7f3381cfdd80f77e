import { ApiError, invalidRequest } from '@capture/contract/errors';
import { newId } from '@capture/database/ids';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { authenticate } from './auth/authenticate.ts';
import { authenticateOperator } from './auth/authenticate-operator.ts';
import type { Dependencies } from './create-dependencies.ts';
import { browserHeaders } from './http/browser-headers.ts';
import { checkHead } from './http/check-head.ts';
import { sendError, setErrorHeaders, toApiError } from './http/errors.ts';
import { type Exchange, type KeyExchange, passed } from './http/exchange.ts';
import { groupByPath, type PathRoutes, routeOf } from './http/find-route.ts';
import { createHttpMetrics, type HttpMetrics, noteRefusal } from './http/http-metrics.ts';
import { queryOf } from './http/parameters.ts';
import { jsonBody, largestBody, largestUnknownBody, mayBeLarge, peekBody, readJsonBody } from './http/read-body.ts';
import { knownMethod, reportAtEnd } from './http/request-log.ts';
import { startRequestSpan } from './http/request-span.ts';
import { isMetered, type Route } from './http/route.ts';
import { subscriberOf } from './limits/client-limit.ts';
import { holdLargeUntilRead } from './limits/hold-until-read.ts';
import { readBodyOfAccount, restAfterResponse } from './limits/large-body.ts';
import { routeTable } from './route-table.ts';
import { protocols } from './routes/compat/protocols.ts';

/**
 * The pipeline of every request: request id and log line → unambiguous headers → authentication → method → body → handler.
 * Every thrown error becomes the same form of error body.
 */
export function createApp(dependencies: Dependencies): Express {
  const metrics = createHttpMetrics(dependencies.metrics, () => dependencies.captureWaiter.size);
  const app = express();
  app.disable('x-powered-by');
  // Responses belong to one account and differ each time.
  app.disable('etag');
  app.set('trust proxy', dependencies.trustProxy);
  // The schema of each route reads the query from the URL.
  app.set('query parser', false);
  app.use((req, res, next) => {
    for (const [name, value] of Object.entries(browserHeaders)) res.setHeader(name, value);
    // Express treats `If-None-Match: *` as a match of any response, and would drop the body.
    if (req.headers['if-none-match'] === '*') delete req.headers['if-none-match'];
    next();
  });

  const groups = groupByPath(routeTable(dependencies));
  // `app.all` would compile each path again for every method that exists.
  for (const group of groups) app.route(group.path).all(serve(dependencies, metrics, group));
  // Under these paths a client without a key does not even learn that a path does not exist.
  const nothing = (path: string, auth: Route['auth'], similarAuths = [auth]) => {
    const similar = groups.filter((each) => similarAuths.includes(each.auth));
    return serve(dependencies, metrics, { path, auth, routes: [], similar });
  };
  app.use('/api/v1', nothing('/api/v1/*', 'key'));
  for (const protocol of protocols) {
    const { prefix: path } = protocol;
    const similar = groups.filter((each) => each.protocol === protocol);
    app.use(path, serve(dependencies, metrics, { path: `${path}/*`, auth: 'none', protocol, routes: [], similar }));
  }
  for (const path of ['/api/operator', '/operator']) app.use(path, nothing(`${path}/*`, 'operator'));
  app.use(nothing('*', 'none', ['none', 'key']));
  app.use(serveUnreadable(dependencies, metrics));
  return app;
}

function serve(dependencies: Dependencies, metrics: HttpMetrics, group: PathRoutes): RequestHandler {
  return async (req, res) => {
    const exchange = begin(dependencies, metrics, req, res, group.path);
    try {
      await exchange.span.run(() => run(dependencies, exchange, group).finally(() => exchange.onlyWaits()));
    } catch (error) {
      if (isForSignIn(exchange, group, error)) res.redirect(303, group.signInAt ?? '/dashboard');
      else refuse(metrics, exchange, group, error);
    }
  };
}

/** Whether a browser without a session opened a page itself, rather than a script in the browser. */
function isForSignIn({ req }: Exchange, { signInAt }: PathRoutes, error: unknown): boolean {
  const isUnauthorized = error instanceof ApiError && error.code === 'UNAUTHORIZED';
  return isUnauthorized && signInAt !== undefined && req.accepts(['json', 'html']) === 'html';
}

/** Handles a path that Express cannot decode (`/files/%ff`). The four parameters make this an error handler. */
function serveUnreadable(dependencies: Dependencies, metrics: HttpMetrics): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const exchange = begin(dependencies, metrics, req, res, '*');
    refuse(metrics, exchange, { path: '*' }, error);
  };
}

function begin(dependencies: Dependencies, metrics: HttpMetrics, req: Request, res: Response, path: string): Exchange {
  const startedAt = performance.now();
  const requestId = newId('req');
  const span = startRequestSpan(req, requestId, { method: knownMethod(req.method), route: path });
  const exchange: Exchange = { req, res, requestId, facts: {}, startedAt, stages: {}, span, onlyWaits: () => {} };
  res.setHeader('X-Request-Id', exchange.requestId);
  reportAtEnd(dependencies.log, metrics, exchange, path);
  return exchange;
}

async function run(dependencies: Dependencies, exchange: Exchange, group: PathRoutes): Promise<void> {
  const { req } = exchange;
  checkHead(req);
  const signed = group.routes.find(({ method }) => method === req.method)?.signed;
  if (signed?.isSigned(req)) return signed.handle(exchange);
  // Small bodies never wait: clients behind one address must not wait for the slow body of another.
  const isHeld = keyInBodyOf(req, group) !== undefined && mayBeLarge(req, largestUnknownBody);
  const release = isHeld ? await dependencies.admission.take('unknownBody', subscriberOf(req.ip ?? '')) : undefined;
  const { handle, own } = await enter(dependencies, exchange, group).finally(release);
  if (own) {
    const { accountId } = own.caller;
    const wasThere = !own.res.destroyed;
    await dependencies.admission.hold('request', accountId, own);
    passed(own, 'turn');
    // When a client disconnects while its request waits, the client would not learn the cost of that request.
    if (wasThere && own.res.destroyed) return;
  }
  await handle();
  if (!own) return;
  await holdLargeUntilRead(dependencies.admission, own.caller.accountId, own.res);
  await restAfterResponse(dependencies, own);
}

async function enter(
  dependencies: Dependencies,
  exchange: Exchange,
  group: PathRoutes,
): Promise<{ handle(): Promise<void>; own: KeyExchange | null }> {
  const { req, res } = exchange;
  const metered = group.routes.some((route) => isMetered(route) && route.method === req.method);
  const theirs = await theirKey(req, group);
  const caller = group.auth === 'key' ? await authenticate(dependencies, exchange, { metered, theirs }) : null;
  if (group.auth === 'operator') await authenticateOperator(dependencies, exchange);
  passed(exchange, 'authenticated');

  const route = routeOf(req, res, group);
  if (route.showsSecret && req.get('Idempotency-Key') !== undefined) {
    throw invalidRequest([{ field: 'Idempotency-Key', message: 'is not accepted where the response shows a secret' }]);
  }
  if (route.body) refuseQuery(req);
  if (route.auth !== 'key') {
    if (route.body) await readJsonBody(req, route.auth === 'none' ? largestUnknownBody : largestBody);
    return { handle: () => route.handle(exchange), own: null };
  }
  if (!caller) throw new Error(`${group.path} has no caller`);
  const own: KeyExchange = Object.assign(exchange, { caller });
  const reader = route.reader ?? (route.body && jsonBody);
  if (reader) own.onlyWaits = await readBodyOfAccount(dependencies, own, route.cost, reader);
  return { handle: () => route.handle(own), own };
}

/** Returns the key of a client of another service; the body may hold the key. */
async function theirKey(req: Request, group: PathRoutes) {
  const { auth, protocol } = group;
  if (!protocol || auth !== 'key') return undefined;
  const inBody = keyInBodyOf(req, group);
  return { place: protocol.keyPlace, key: inBody ? await inBody() : protocol.keyOf(req) };
}

/** Returns how to read the key from the body; undefined if the key is not in the body. */
function keyInBodyOf(req: Request, { auth, protocol, routes }: PathRoutes) {
  const reader = routes.find(({ method }) => method === req.method)?.reader;
  const { keyInBody } = protocol ?? {};
  if (auth !== 'key' || !reader || !keyInBody || protocol?.keyOf(req) !== null) return undefined;
  return async () => keyInBody(await peekBody(req, reader));
}

/**
 * The gateway would ignore options in the URL of a request with a body, and options in both places could contradict each other.
 */
function refuseQuery(req: Request): void {
  const names = [...new Set(queryOf(req).keys())];
  if (names.length > 0) {
    throw invalidRequest(names.map((field) => ({ field, message: `belongs in the JSON body of a ${req.method}` })));
  }
}

function refuse(
  metrics: HttpMetrics,
  exchange: Exchange & Partial<KeyExchange>,
  { path: route, protocol }: Pick<PathRoutes, 'path' | 'protocol'>,
  thrown: unknown,
): void {
  const { res, facts, caller } = exchange;
  const error = toApiError(thrown);
  noteRefusal(metrics, error, { route, caller });
  facts.error_code = error.code;
  if (error.cause !== undefined) facts.err = error.cause;
  // A response that has started cannot be replaced; cutting it short shows the client that it is incomplete.
  if (res.headersSent) {
    res.destroy();
    return;
  }
  setErrorHeaders(res, error);
  if (protocol) protocol.sendError(exchange, error);
  else sendError(exchange, error);
}
