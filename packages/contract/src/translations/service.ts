import type { CaptureKind, Options, Table } from './table.ts';

/** Where a client puts its key: in a parameter, field or header of a name, or in `Authorization`. */
export type KeyPlace =
  | { in: 'query' | 'header' | 'json' | 'form'; name: string }
  | { in: 'bearer' | 'user name' | 'password' };

/**
 * A service with a compatible endpoint. Its translation, its endpoint, its function in the SDK and its section of
 * docs/migration.md follow from this description.
 */
export interface Service {
  /** The service's name in its own spelling. `idOf` derives the name of its folders and the prefix of its paths. */
  name: string;
  /** The URL of the service's API. */
  url: string;
  /** Where clients put the key; the first place with a key counts. */
  keys: readonly KeyPlace[];
  /** The format of the body of POST requests. */
  body: 'json' | 'form';
  /** The paths that are served, as `POST /convert/{url,html}` or `GET /renders/:id`. A test compares them with the routes. */
  paths: readonly string[];
  /** The paths that are not served, in Markdown. */
  notServed?: string;
  /** The arguments of the SDK's function, for its docstring: `A request to …: the parameters of its query.` */
  request: string;
  /** The second argument of the SDK's function, if the route decides what is captured: `such as …`. */
  route?: string;
  table: Table;
  /** @throws {TypeError} for a route without a counterpart. */
  kindOf(given: Options, route: string): CaptureKind;
  /** Renames options to the names of the table, if the request has other names. */
  flatten?(given: Options, route: string): Options;
  /** The service's defaults that affect the capture and differ from the platform's. */
  defaults(type: CaptureKind, given: Options): Options;
}

/** The name of a service's folders and of its paths below `/compat`: its own name in lower case, letters and digits only. */
export const idOf = ({ name }: Pick<Service, 'name'>): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Where a client puts its key, in Markdown: ``as `access_key` in the query or in the header `X-Access-Key` ``. */
export function keyPlaceOf({ keys }: Pick<Service, 'keys'>): string {
  // Headers come last: each is an alternative to the service's usual place.
  const ordered = keys.toSorted((one, other) => Number(one.in === 'header') - Number(other.in === 'header'));
  const places = ordered.map((place) => {
    if (place.in === 'bearer') return 'as `Authorization: Bearer`';
    if (!('name' in place)) return `as the ${place.in} of Basic authentication`;
    if (place.in === 'header') return `in the header \`${place.name}\``;
    return `as \`${place.name}\` in the ${place.in === 'json' ? 'JSON body' : place.in}`;
  });
  const last = places.pop();
  return places.length > 0 ? `${places.join(', ')} or ${last}` : `${last}`;
}

/** Each path of a service with its method: `POST /{a,b}` are two. */
export function routesIn({ paths }: Pick<Service, 'paths'>): { method: string; path: string }[] {
  return paths.flatMap(alternatives).map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path };
  });
}

function alternatives(text: string): string[] {
  const [all, list] = /\{([^}]*)\}/.exec(text) ?? [];
  if (all === undefined || list === undefined) return [text];
  return list.split(',').flatMap((part) => alternatives(text.replace(all, part)));
}
