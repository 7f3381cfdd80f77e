import type { PdfOptions, ScreenshotOptions } from '../capture-options.ts';
import { removeConflicts } from './remove-conflicts.ts';
import type { CaptureKind, Options, Table } from './table.ts';
import { Untranslatable } from './values.ts';

/** An option of a request that could not be translated. */
export interface Unsupported {
  /** Its name in the other service. */
  name: string;
  /** Why not, or what to do instead. */
  why: string;
}

/** A translated request: pass `type` and `options` to `client.capture`. */
export type TranslatedRequest =
  | { type: 'screenshot'; options: ScreenshotOptions; unsupported: Unsupported[] }
  | { type: 'pdf'; options: PdfOptions; unsupported: Unsupported[] };

/** How to translate requests of a service. */
export interface Service {
  name: string;
  table: Table;
  /** Their defaults that affect the capture and differ from ours. */
  defaults(type: CaptureKind, given: Options): Options;
}

/** Translates a request option by option. Unknown and unsupported options are reported, never dropped silently. */
export function translate(service: Service, type: CaptureKind, given: Options): TranslatedRequest {
  const unsupported: Unsupported[] = [];
  const options: Options = {};
  /** Our option → the option that it came from. */
  const origins = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === '') continue;
    const report = (why: string) => void unsupported.push({ name, why });
    const row = Object.hasOwn(service.table, name) ? service.table[name] : undefined;
    if (!row) report(`is not a known option of ${service.name}`);
    else if ('why' in row) {
      if (value !== false && value !== 'false') report(row.why);
    } else if (row.only !== undefined && row.only !== type) report(`does not apply to a ${type}`);
    else {
      try {
        const translated = row.move(value, report, given, type);
        for (const ours of Object.keys(translated)) origins.set(ours, name);
        merge(options, translated);
      } catch (error) {
        if (!(error instanceof Untranslatable)) throw error;
        report(error.message);
      }
    }
  }
  const all: Options = {};
  merge(all, service.defaults(type, given));
  merge(all, options);
  removeConflicts(type, all, (ours, why) => {
    const name = origins.get(ours);
    if (name !== undefined) unsupported.push({ name, why });
  });
  return { type, options: all, unsupported } as unknown as TranslatedRequest;
}

/** Concatenates lists and merges objects; otherwise the last value wins. */
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
