import { pageRequest } from '@capture/contract/api/paging';
import { invalidRequest } from '@capture/contract/errors';
import { decodeQuery, parseRequest } from '@capture/contract/options/parse-request';
import type { Request } from 'express';
import type { z } from 'zod';

/** The query of a request, as it stands in its URL. */
export function queryOf(req: Request): URLSearchParams {
  const start = req.originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : req.originalUrl.slice(start));
}

/** A query checked against a schema. @throws {ApiError} `INVALID_REQUEST` that names each field at fault. */
export function parseQuery<Schema extends z.ZodObject>(req: Request, schema: Schema, kind: string): z.output<Schema> {
  return parseRequest(schema, decodeQuery(schema, queryOf(req)), kind);
}

/** A path's parameter; Express has matched it, so it is there. */
export function pathParameter(req: Request, name: string): string {
  const value = req.params[name];
  if (typeof value !== 'string') throw new Error(`the route has no parameter ${name}`);
  // Postgres takes no NUL in a text.
  if (value.includes('\0')) throw invalidRequest([{ field: name, message: 'is not valid' }]);
  return value;
}

/** Which page of a list is asked for. `after` is the id of the last row of the page before it. */
export function parsePage(req: Request): { limit: number; after: string | null } {
  const { limit, cursor } = parseQuery(req, pageRequest, 'this list');
  return { limit, after: cursor ?? null };
}

/**
 * A page of a list in its one form: `{<name>: […], next_cursor}`.
 *
 * @param found at most `limit + 1` rows: one more tells that there is a next page.
 * @param show a row in the words of the API.
 */
export function pageOf<Row extends { id: string }>(
  name: string,
  found: readonly Row[],
  limit: number,
  show: (row: Row) => object,
): object {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { [name]: page.map(show), next_cursor: found.length > limit && last ? last.id : null };
}
