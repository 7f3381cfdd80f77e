import type { PdfOptions, ScreenshotOptions } from '../capture-options.ts';
import { settle } from './settle.ts';
import type { MovedType, Options, Table } from './table.ts';
import { Unfit } from './values.ts';

/** Something of a request that could not be taken over. */
export interface Unsupported {
  /** Their name for it. */
  name: string;
  /** Why not, or what to do instead. */
  why: string;
}

/** What another service's request is here: give `type` and `options` to `client.capture`. */
export type Moved =
  | { type: 'screenshot'; options: ScreenshotOptions; unsupported: Unsupported[] }
  | { type: 'pdf'; options: PdfOptions; unsupported: Unsupported[] };

/** How requests of a service are read. */
export interface Service {
  name: string;
  table: Table;
  /** Their defaults that show in the picture and are not ours. */
  defaults(type: MovedType, given: Options): Options;
}

/** Translates a request name by name; whatever is not known or cannot be said here is told, never dropped in silence. */
export function translate(service: Service, type: MovedType, given: Options): Moved {
  const unsupported: Unsupported[] = [];
  const options: Options = {};
  /** Our option → theirs that it came from. */
  const origins = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === '') continue;
    const tell = (why: string) => void unsupported.push({ name, why });
    const row = Object.hasOwn(service.table, name) ? service.table[name] : undefined;
    if (!row) tell(`is no option of ${service.name} that is known here`);
    else if ('why' in row) {
      if (value !== false && value !== 'false') tell(row.why);
    } else if (row.only !== undefined && row.only !== type) tell(`means nothing for a ${type}`);
    else {
      try {
        const moved = row.move(value, tell, given, type);
        for (const ours of Object.keys(moved)) origins.set(ours, name);
        merge(options, moved);
      } catch (error) {
        if (!(error instanceof Unfit)) throw error;
        tell(error.message);
      }
    }
  }
  const all: Options = {};
  merge(all, service.defaults(type, given));
  merge(all, options);
  settle(type, all, (ours, why) => {
    const name = origins.get(ours);
    if (name !== undefined) unsupported.push({ name, why });
  });
  return { type, options: all, unsupported } as unknown as Moved;
}

/** Lists are put together, objects field by field; of anything else the last counts. */
function merge(options: Options, more: Options): void {
  for (const [name, value] of Object.entries(more)) {
    const before = options[name];
    if (Array.isArray(before) && Array.isArray(value)) options[name] = [...before, ...value];
    else if (isPlain(before) && isPlain(value)) options[name] = { ...before, ...value };
    else if (value !== undefined) options[name] = value;
  }
}

function isPlain(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
