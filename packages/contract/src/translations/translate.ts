import { removeConflicts } from './remove-conflicts.ts';
import type { Service } from './service.ts';
import type { CaptureKind, Options } from './table.ts';
import { Untranslatable } from './values.ts';

/** An option of a request that could not be translated. */
export interface Unsupported {
  /** The option's name in the other service. */
  name: string;
  /** Why the option is not translated, or an alternative. */
  why: string;
  /** Marks an option that does not affect the quality of the capture. */
  harmless?: true;
}

/** A request of another service, translated to the platform's options. */
export interface Translation {
  type: CaptureKind;
  options: Options;
  unsupported: Unsupported[];
  /** The option of the other service from which each option was translated. */
  origins: Readonly<Record<string, string>>;
}

const nouns: Readonly<Record<CaptureKind, string>> = {
  screenshot: 'a screenshot',
  pdf: 'a PDF',
  content: 'the content of a page',
};

/**
 * Translates a request option by option. Unknown and unsupported options are reported, never dropped silently.
 *
 * @param route the path, with the query if it has options. @throws {TypeError} for a route without a counterpart.
 */
export function translate(service: Service, request: Options, route = ''): Translation {
  const type = service.kindOf(request, route);
  const given = service.flatten?.(request, route) ?? request;
  const unsupported: Unsupported[] = [];
  const options: Options = {};
  const origins: Record<string, string> = {};
  const rowOf = (name: string) => (Object.hasOwn(service.table, name) ? service.table[name] : undefined);
  const add = (name: string, why: string, harmless = rowOf(name)?.harmless) =>
    void unsupported.push({ name, why, ...(harmless && { harmless }) });
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === '') continue;
    const report = (why: string) => add(name, why);
    const row = rowOf(name);
    if (!row) report(`is not a known option of ${service.name}`);
    else if ('why' in row) {
      if (value !== false && value !== 'false') report(row.why);
    } else if (row.only !== undefined && row.only !== type) add(name, `does not apply to ${nouns[type]}`, true);
    else {
      try {
        const translated = row.move(value, report, given, type);
        for (const ours of Object.keys(translated)) origins[ours] = name;
        merge(options, translated);
      } catch (error) {
        if (!(error instanceof Untranslatable)) throw error;
        unsupported.push({ name, why: error.message });
      }
    }
  }
  const all: Options = {};
  merge(all, service.defaults(type, given));
  merge(all, options);
  removeConflicts(type, all, (ours, why) => {
    const name = origins[ours];
    if (name !== undefined) add(name, why);
  });
  return { type, options: all, unsupported, origins };
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
