import { type ErrorDetail, invalidRequest } from '../errors.ts';
import { allCaptureKinds } from './capture-options.ts';
import { refuseCrowds, requestFaults } from './parse-request.ts';
import { presetReference } from './preset-name.ts';
import { respell } from './respell.ts';
import { secretOptionNames } from './secret-options.ts';

type Options = Record<string, unknown>;

/** A stored version of a preset, as requests use it. */
export interface FoundPreset {
  name: string;
  version: number;
  options: Options;
}

/** Why a preset that a request names cannot be used. */
export interface PresetFault {
  fault: ErrorDetail;
}

/** The most kB of JSON in a preset. A batch of 1,000 items stores the options with each item. */
const sizeAtMostKb = 64;

/** The options that belong to one capture, so a preset cannot contain them. */
const ofOneCapture = ['url', 'html', 'preset'];

/** The text that records and presets show in place of a secret. */
const masked = '***';

/**
 * Checks the options of a preset as far as possible without a URL: some kind of capture must accept all of them. Each request
 * that uses the preset checks its own kind.
 *
 * @throws {ApiError} `INVALID_REQUEST` whose fields begin with `options`.
 */
export function checkPresetOptions(options: Options): void {
  refuseCrowds(options, 'options');
  const faults = [...misplacedFaults(options), ...maskedFaults(options)];
  if (faults.length === 0) faults.push(...kindFaults(options));
  if (faults.length === 0 && Buffer.byteLength(JSON.stringify(options)) > sizeAtMostKb * 1_024) {
    faults.push({ field: '', message: `must be at most ${sizeAtMostKb} kB as JSON` });
  }
  if (faults.length === 0) return;
  throw invalidRequest(
    faults.map((fault) => ({ ...fault, field: fault.field === '' ? 'options' : `options.${fault.field}` })),
  );
}

function misplacedFaults(options: Options): ErrorDetail[] {
  const misplaced = ofOneCapture.filter((name) => Object.hasOwn(options, name));
  return misplaced.map((field) => ({ field, message: 'belongs to a request, not to a preset' }));
}

/** Refuses `***`: a client that stores a preset as it is shown would lose its secrets without an error. */
function maskedFaults(options: Options): ErrorDetail[] {
  const isMasked = (value: unknown): boolean =>
    value === masked || (typeof value === 'object' && value !== null && Object.values(value).some(isMasked));
  return secretOptionNames
    .filter((field) => isMasked(options[field]))
    .map((field) => ({ field, message: `has ${masked} in place of a secret; send the secret itself` }));
}

/** Returns the faults of the kind that fits best; none if a kind accepts all options. */
function kindFaults(options: Options): ErrorDetail[] {
  const given = respell({ ...options, url: 'https://example.com/' });
  const [best = []] = allCaptureKinds
    .map(({ request, name }) => requestFaults(request.safeParse(given), given, name, request))
    .sort((a, b) => a.length - b.length);
  return best;
}

/** Returns the preset that the options name; null if they name none, or if the schema refuses the name. */
export function referenceIn(options: unknown): string | null {
  const reference: unknown =
    typeof options === 'object' && options !== null && Object.hasOwn(options, 'preset')
      ? Reflect.get(options, 'preset')
      : null;
  return typeof reference === 'string' && presetReference.test(reference) ? reference : null;
}

/**
 * Merges a preset's options into a request. The request's options take precedence, and its `null` unsets a preset's option.
 * `preset` becomes the used version, so that the record shows it.
 */
export function withPreset(own: Options, { name, version, options }: FoundPreset): Options {
  const merged = { ...options, ...own, preset: `${name}@${version}` };
  const isUnset = (option: string, value: unknown) => value === null && Object.hasOwn(options, option);
  return Object.fromEntries(Object.entries(merged).filter(([option, value]) => !isUnset(option, value)));
}

/** Whether a faulty field comes from the preset and not from the request. */
export function isOfPreset(field: string, own: Options, preset: FoundPreset): boolean {
  const [option = ''] = field.split('.');
  return Object.hasOwn(preset.options, option) && !Object.hasOwn(own, option);
}
