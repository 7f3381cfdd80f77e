import { ApiError, invalidRequest } from '@capture/contract/errors';
import { type LinkKind, type LinkParameters, linkKinds, linkParameters } from '@capture/contract/links/link-parameters';
import { type LinkPolicy, type LinkSize, policyFault } from '@capture/contract/links/link-policy';
import { type CaptureKind, captureKinds, type FilledRequest } from '@capture/contract/options/capture-options';
import { decodeCaptureQuery } from '@capture/contract/options/capture-query';
import { parseRequest } from '@capture/contract/options/parse-request';
import { referenceIn } from '@capture/contract/options/preset-options';
import { notOfTheImage } from '@capture/contract/options/request-options';
import { respell } from '@capture/contract/options/respell';
import type { ScreenshotRequest } from '@capture/contract/options/screenshot-options';
import { secretOptionNames } from '@capture/contract/options/secret-options';
import { applyPreset, findPresets, type PresetDependencies } from '../presets/find-presets.ts';

/** The content of a link. */
export interface LinkContent {
  kind: CaptureKind;
  options: Record<string, unknown>;
  parameters: LinkParameters;
  /** Where the signer finds an invalid field, if not in the link itself. */
  placeOf?: ((field: string) => string) | undefined;
}

/** Options that a link cannot have: everyone who sees the page sees the URL. */
const refused = new Set<string>([...secretOptionNames, ...notOfTheImage, 'format', 'outputs']);
refused.delete('preset');

/** Reads the parameters of a link that are no options of its capture. @throws {ApiError} `INVALID_REQUEST`. */
export function readParameters(query: URLSearchParams): LinkParameters {
  return parseRequest(linkParameters, Object.fromEntries([...query].filter(([name]) => isOfLink(name))), 'a link');
}

const isOfLink = (name: string) => Object.hasOwn(linkParameters.shape, name);

/**
 * Reads the content of an account's link.
 *
 * @param link.file such as `screenshot.png`.
 * @throws {ApiError} `INVALID_REQUEST` for a parameter that no link has; `NOT_FOUND` for a file that no link shows.
 */
export async function readContent(
  dependencies: PresetDependencies,
  accountId: string,
  { file, query, parameters }: { file: string; query: URLSearchParams; parameters: LinkParameters },
): Promise<LinkContent> {
  const ofCapture = new URLSearchParams([...query].filter(([name]) => !isOfLink(name)));
  const { kind, options: own } = readOptions(file, ofCapture);
  if (kind.type === 'pdf' && parameters.placeholder !== 'none') {
    throw invalidRequest([{ field: 'placeholder', message: 'is an image, and cannot stand for a PDF' }]);
  }
  return { kind, parameters, ...(await withItsPreset(dependencies, accountId, own)) };
}

/**
 * Checks the content of a link.
 *
 * @returns the request with all defaults, and the size of its image.
 * @throws {ApiError} `INVALID_REQUEST`, `LINK_NOT_ALLOWED`.
 */
export function checkContent(
  { kind, options, placeOf }: LinkContent,
  policy: LinkPolicy,
): { request: FilledRequest; size: LinkSize | null } {
  const request = parseRequest(kind.request, respell(options), kind.name, placeOf);
  const size = kind.type === 'pdf' ? null : sizeOf(request);
  const fault = policyFault(policy, request.url, size);
  if (fault !== null) throw new ApiError('LINK_NOT_ALLOWED', fault);
  return { request, size };
}

/** Returns the kind and format of `screenshot.png`, and the options of the query as a request has them. */
function readOptions(file: string, query: URLSearchParams) {
  const [, name = '', extension = ''] = /^([a-z-]+)\.([a-z]+)$/.exec(file) ?? [];
  const kind: CaptureKind | undefined = Object.hasOwn(linkKinds, name)
    ? captureKinds[linkKinds[name as LinkKind]]
    : undefined;
  const format = extension === 'jpg' ? 'jpeg' : extension;
  if (!kind?.formats.includes(format)) {
    const known = Object.entries(linkKinds).flatMap(([each, type]) =>
      captureKinds[type].formats.map((ending) => `${each}.${ending}`),
    );
    throw new ApiError('NOT_FOUND', `A link ends with one of ${known.join(', ')}, not with ${file.slice(0, 100)}.`);
  }
  refuseMisplaced([...query.keys()]);
  return { kind, options: { ...decodeCaptureQuery(kind, query), ...(kind.type !== 'pdf' && { format }) } };
}

/**
 * Returns the options of a link, with the options of the preset that it names.
 *
 * @throws {ApiError} `INVALID_REQUEST`, which names no other preset of the account, because viewers of the link see the error.
 */
async function withItsPreset(
  dependencies: PresetDependencies,
  accountId: string,
  own: Record<string, unknown>,
): Promise<Pick<LinkContent, 'options' | 'placeOf'>> {
  const reference = referenceIn(own);
  if (reference === null) return { options: own };
  const preset = (await findPresets(dependencies, accountId, [reference])).get(reference);
  if (!preset || 'fault' in preset) {
    const message = 'is not a preset of the account of this link, or a version that is not kept';
    throw invalidRequest([{ field: 'preset', message, value: reference }]);
  }
  // The format of the path overrides the preset's.
  refuseMisplaced(
    Object.keys(preset.options).filter((name) => name !== 'format'),
    'preset.',
  );
  return applyPreset(own, preset);
}

/** @throws {ApiError} `INVALID_REQUEST` for options that no link may have. */
function refuseMisplaced(names: readonly string[], place = ''): void {
  const misplaced = names.filter((each) => refused.has(each));
  if (misplaced.length > 0) {
    throw invalidRequest(misplaced.map((name) => ({ field: place + name, message: 'cannot be part of a link' })));
  }
}

type ImageOptions = Partial<
  Pick<ScreenshotRequest, 'clip' | 'resize_width' | 'resize_height' | 'full_page' | 'selector'>
>;

/** Returns the size of the image by the options. If only one side is resized, the image keeps its proportions. */
function sizeOf(request: FilledRequest & ImageOptions): LinkSize {
  const { device_scale_factor: density, clip, resize_width, resize_height, full_page, selector } = request;
  const { width, height } = clip ?? request;
  const isOpen = full_page === true || selector !== undefined;
  const ratio = width / height;
  if (resize_width !== undefined) {
    return { width: resize_width, height: resize_height ?? (isOpen ? null : Math.ceil(resize_width / ratio)) };
  }
  if (resize_height !== undefined) return { width: Math.ceil(resize_height * ratio), height: resize_height };
  return { width: Math.ceil(width * density), height: isOpen ? null : Math.ceil(height * density) };
}
