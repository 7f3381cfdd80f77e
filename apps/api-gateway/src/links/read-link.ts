import { createHmac, timingSafeEqual } from 'node:crypto';
import { monthOf } from '@capture/contract/api/month';
import { ApiError, invalidRequest } from '@capture/contract/errors';
import { planOf } from '@capture/contract/forms/forms';
import {
  type LinkKind,
  type LinkParameters,
  linkKinds,
  linkParameters,
  signedText,
} from '@capture/contract/links/link-parameters';
import { type LinkSize, policyFault } from '@capture/contract/links/link-policy';
import { type CaptureKind, captureKinds, type FilledRequest } from '@capture/contract/options/capture-options';
import { decodeCaptureQuery } from '@capture/contract/options/capture-query';
import { captureFingerprint } from '@capture/contract/options/fingerprint';
import { parseRequest } from '@capture/contract/options/parse-request';
import { notOfTheImage } from '@capture/contract/options/request-options';
import { respell } from '@capture/contract/options/respell';
import type { ScreenshotRequest } from '@capture/contract/options/screenshot-options';
import { secretOptionNames } from '@capture/contract/options/secret-options';
import type { Encryptor } from '@capture/database/encryption';
import { findLinkOwner, type LinkOwner } from '@capture/database/links/find-link-owner';
import type { LinkTarget } from '@capture/database/links/link-renders';
import type { AuthenticateDependencies } from '../auth/authenticate.ts';
import { refusedKey } from '../auth/refused-key.ts';
import type { RequestedCapture } from '../captures/admit.ts';
import type { Exchange, KeyExchange } from '../http/exchange.ts';
import { pathParameter, queryOf } from '../http/parameters.ts';

export interface ReadLinkDependencies extends Pick<AuthenticateDependencies, 'database' | 'form' | 'keyFailures'> {
  encryptor: Encryptor;
}

/** A link that may be shown. */
export interface Link {
  target: LinkTarget;
  requested: RequestedCapture;
  parameters: LinkParameters;
  timeoutMs: number;
  /** Of the image, pixels; for a placeholder. */
  size: { width: number; height: number };
  rendersPerDay: number | null;
}

/** What a link cannot have: a URL is seen by everyone who sees the page. */
const refused: ReadonlySet<string> = new Set([...secretOptionNames, ...notOfTheImage, 'format']);

/**
 * Reads the link of a request and checks its signature, before anything else of it is used.
 *
 * @returns the link, and the request as one of the account that signed it.
 * @throws {ApiError} `LINK_INVALID`, for an unknown key as for a wrong signature; `LINK_EXPIRED`; `LINK_NOT_ALLOWED`;
 *   `FORBIDDEN` for a suspended account; `INVALID_REQUEST` for a parameter that is repeated or no option of a link.
 */
export async function readLink(
  dependencies: ReadLinkDependencies,
  exchange: Exchange,
): Promise<{ link: Link; exchange: KeyExchange }> {
  const { req } = exchange;
  const file = pathParameter(req, 'file');
  const query = queryOf(req);
  refuseRepeated(query);
  const owner = await findSigner(dependencies, exchange, {
    keyId: pathParameter(req, 'keyId'),
    signature: pathParameter(req, 'signature'),
    text: signedText(file, query),
  });

  const given = Object.fromEntries(query);
  const own = Object.fromEntries(
    Object.keys(linkParameters.shape).flatMap((name) => (name in given ? [[name, given[name]]] : [])),
  );
  const parameters = parseRequest(linkParameters, own, 'a link');
  if (parameters.expires !== undefined && parameters.expires * 1_000 <= Date.now()) {
    throw new ApiError('LINK_EXPIRED', `This link expired at ${new Date(parameters.expires * 1_000).toISOString()}.`);
  }
  for (const name of Object.keys(own)) query.delete(name);
  const { kind, options } = readOptions(file, query);
  if (kind.type === 'pdf' && parameters.placeholder !== 'none') {
    throw invalidRequest([{ field: 'placeholder', message: 'is an image, and cannot stand for a PDF' }]);
  }
  return linkOf(dependencies, exchange, owner, { kind, options, parameters });
}

/**
 * Finds the account that signed a link.
 *
 * @param link the id of the key, the signature, and the text that it covers.
 * @throws {ApiError} `LINK_INVALID`, for an unknown key as for a wrong signature; `FORBIDDEN` for a suspended account.
 */
export async function findSigner(
  dependencies: ReadLinkDependencies,
  exchange: Exchange,
  { keyId, signature, text }: { keyId: string; signature: string; text: string },
): Promise<LinkOwner> {
  const month = monthOf(new Date());
  const owner = await findLinkOwner(dependencies.database.pool, dependencies.encryptor, keyId, month);
  if (!owner || !isSigned(signature, text, owner)) {
    const message =
      'The signature of this link is not valid: the link was changed, or its API key or link secret was replaced.';
    throw await refusedKey(dependencies, exchange, new ApiError('LINK_INVALID', message));
  }
  Object.assign(exchange.facts, { account_id: owner.accountId, key_id: owner.keyId });
  if (owner.status === 'suspended') throw new ApiError('FORBIDDEN', 'The account of this link is suspended.');
  return owner;
}

/**
 * The link with these options, if they are valid and the account's policy allows them.
 *
 * @returns the link, and the request as one of the account that signed it.
 * @throws {ApiError} `INVALID_REQUEST`, `LINK_NOT_ALLOWED`.
 */
export function linkOf(
  dependencies: ReadLinkDependencies,
  exchange: Exchange,
  owner: LinkOwner,
  { kind, options, parameters }: { kind: CaptureKind; options: Record<string, unknown>; parameters: LinkParameters },
): { link: Link; exchange: KeyExchange } {
  const request = parseRequest(kind.request, respell(options), kind.name);
  const fault = policyFault(owner.policy, request.url, sizeOf(kind, request));
  if (fault !== null) throw new ApiError('LINK_NOT_ALLOWED', fault);

  const { accountId, planName, ...usage } = { ...owner, planName: owner.plan };
  const caller = { ...usage, accountId, planName, sessionId: null, plan: planOf(dependencies.form, planName) };
  const fingerprint = captureFingerprint(kind.type, request, dependencies.encryptor.keyedHash);
  return {
    exchange: Object.assign(exchange, { caller, bodyDone: () => {} }),
    link: {
      target: { accountId, type: kind.type, fingerprint },
      requested: {
        type: kind.type,
        url: request.url,
        options,
        webhookUrl: null,
        metadata: null,
        fingerprint,
        cacheTtlS: 0,
      },
      parameters,
      timeoutMs: request.timeout_ms,
      size: {
        width: Math.round(request.width * request.device_scale_factor),
        height: Math.round(request.height * request.device_scale_factor),
      },
      rendersPerDay: owner.policy.renders_per_day ?? null,
    },
  };
}

/** The last of two equal names would decide what the first one signed. */
function refuseRepeated(query: URLSearchParams): void {
  const names = [...query.keys()];
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  if (repeated.size > 0) throw invalidRequest([...repeated].map((field) => ({ field, message: 'is given twice' })));
}

/** Compares in constant time: how long it takes says nothing about the right signature. */
function isSigned(signature: string, text: string, { secrets }: LinkOwner): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const presented = Buffer.from(signature, 'hex');
  return secrets.some((secret) => timingSafeEqual(createHmac('sha256', secret).update(text).digest(), presented));
}

/** The kind and format of `screenshot.png`, and the options of the query as a request has them. */
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
  refuseMisplaced(query.keys());
  return { kind, options: { ...decodeCaptureQuery(kind, query), ...(kind.type !== 'pdf' && { format }) } };
}

/** @throws {ApiError} `INVALID_REQUEST` for options that no link may have. */
function refuseMisplaced(names: Iterable<string>): void {
  const misplaced = [...names].filter((each) => refused.has(each));
  if (misplaced.length > 0) {
    throw invalidRequest(misplaced.map((field) => ({ field, message: 'cannot be part of a link' })));
  }
}

type ImageOptions = Partial<
  Pick<ScreenshotRequest, 'clip' | 'resize_width' | 'resize_height' | 'full_page' | 'selector'>
>;

/** What the options say of the image's size; null for a PDF. */
function sizeOf(kind: CaptureKind, request: FilledRequest & ImageOptions): LinkSize | null {
  if (kind.type === 'pdf') return null;
  const { device_scale_factor: density, clip, resize_width, resize_height, full_page, selector } = request;
  const area = clip ?? request;
  const isOpen = full_page === true || selector !== undefined;
  const height = resize_height ?? (isOpen ? null : Math.ceil(area.height * density));
  return { width: resize_width ?? Math.ceil(area.width * density), height };
}
