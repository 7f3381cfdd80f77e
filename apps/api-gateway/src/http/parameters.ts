import { type ListedPrefix, pageRequest } from '@capture/contract/api/paging';
import { invalidRequest } from '@capture/contract/errors';
import { decodeQuery, parseRequest } from '@capture/contract/options/parse-request';
import type { Request } from 'express';
import type { z } from 'zod';

/** The query of a request, from its URL. */
export function queryOf(req: Request): URLSearchParams {
  const start = req.originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : req.originalUrl.slice(start));
}

/** Parses the query by a schema. @throws {ApiError} `INVALID_REQUEST` that names each invalid field. */
export function parseQuery<Schema extends z.ZodObject>(req: Request, schema: Schema, kind: string): z.output<Schema> {
  return parseRequest(schema, decodeQuery(schema, queryOf(req)), kind);
}

/** Returns a path parameter; Express has matched the path, so the parameter exists. */
export function pathParameter(req: Request, name: string): string {
  const value = req.params[name];
  if (typeof value !== 'string') throw new Error(`the route has no parameter ${name}`);
  // Postgres accepts no NUL in a text.
  if (value.includes('\0')) throw invalidRequest([{ field: name, message: 'is not valid' }]);
  return value;
}

/** Reads which page of a list is requested. `after` is the id of the last row of the previous page. */
export function parsePage(req: Request, prefix: ListedPrefix): { limit: number; after: string | null } {
  const { limit, cursor } = parseQuery(req, pageRequest(prefix), 'this list');
  return { limit, after: cursor ?? null };
}

/**
 * A page of a list: `{<name>: […], next_cursor}`.
 *
 * @param rows at most `limit + 1`: an extra row means that there is a next page.
 * @param show turns a row into its API record.
 * @param searchedTo where a search stopped before it filled the page: the next page continues there.
 */
export function pageOf<Row extends { id: string }>(
  name: string,
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => object,
  searchedTo: string | null = null,
): object {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { [name]: page.map(show), next_cursor: rows.length > limit && last ? last.id : searchedTo };
}
