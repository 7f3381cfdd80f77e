import { createHmac, timingSafeEqual } from 'node:crypto';
import { monthOf } from '@capture/contract/api/month';
import { ApiError, invalidRequest } from '@capture/contract/errors';
import { planOf } from '@capture/contract/forms/forms';
import { type LinkParameters, signedText } from '@capture/contract/links/link-parameters';
import type { LinkPolicy } from '@capture/contract/links/link-policy';
import { captureFingerprint } from '@capture/contract/options/fingerprint';
import { databaseNow } from '@capture/database/database-clock';
import { findLinkOwner, type LinkOwner } from '@capture/database/links/find-link-owner';
import type { LinkTarget } from '@capture/database/links/link-renders';
import type { AuthenticateDependencies } from '../auth/authenticate.ts';
import { refusedKey } from '../auth/refused-key.ts';
import type { RequestedCapture } from '../captures/admit.ts';
import type { Exchange, KeyExchange } from '../http/exchange.ts';
import { pathParameter, queryOf } from '../http/parameters.ts';
import type { PresetDependencies } from '../presets/find-presets.ts';
import { checkContent, type LinkContent, readContent, readParameters } from './link-content.ts';

export interface ReadLinkDependencies
  extends Pick<AuthenticateDependencies, 'form' | 'admission' | 'clientLimits'>,
    PresetDependencies {}

/** A link whose image may be shown. */
export interface Link {
  target: LinkTarget;
  requested: RequestedCapture;
  parameters: LinkParameters;
  timeoutMs: number;
  /** The size of the image or its placeholder, pixels. */
  size: { width: number; height: number };
  policy: LinkPolicy;
}

/**
 * Reads the link of a request and checks the signature before it uses any other part.
 *
 * @returns the link, and the request as a request of the account that signed it.
 * @throws {ApiError} `LINK_INVALID`, for an unknown key as for a wrong signature; `LINK_EXPIRED`; `LINK_NOT_ALLOWED`;
 * `FORBIDDEN` for a suspended account; `INVALID_REQUEST` for a parameter that is repeated or no option of a link.
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

  const parameters = readParameters(query);
  const { expires } = parameters;
  if (expires !== undefined && expires * 1_000 <= databaseNow().getTime()) {
    throw new ApiError('LINK_EXPIRED', `This link expired at ${new Date(expires * 1_000).toISOString()}.`);
  }
  const content = await readContent(dependencies, owner.accountId, { file, query, parameters });
  return linkOf(dependencies, exchange, owner, content);
}

/**
 * Finds the account that signed a link, and takes one of its slots.
 *
 * @param link the id of the key, the signature, and the signed text.
 * @throws {ApiError} `LINK_INVALID`, for an unknown key as for a wrong signature; `FORBIDDEN` for a suspended account.
 */
export async function findSigner(
  dependencies: ReadLinkDependencies,
  exchange: Exchange,
  { keyId, signature, text }: { keyId: string; signature: string; text: string },
): Promise<LinkOwner> {
  const month = monthOf(databaseNow());
  const { database, encryptor, admission } = dependencies;
  // The account is not known yet, so the key id takes the slot.
  const owner = await admission.run('viewer', `key ${keyId}`, () =>
    findLinkOwner(database.pool, encryptor, keyId, month),
  );
  if (!owner || !isSigned(signature, text, owner)) {
    const message =
      'The signature of this link is not valid: the link was changed, or its API key or link secret was replaced.';
    throw await refusedKey(dependencies, exchange, new ApiError('LINK_INVALID', message));
  }
  Object.assign(exchange.facts, { account_id: owner.accountId, key_id: owner.keyId });
  if (owner.status === 'suspended') throw new ApiError('FORBIDDEN', 'The account of this link is suspended.');
  await admission.hold('viewer', owner.accountId, exchange);
  return owner;
}

/**
 * Returns the link with these options, if they are valid and the account's policy allows them.
 *
 * @returns the link, and the request as a request of the account that signed it.
 * @throws {ApiError} `INVALID_REQUEST`, `LINK_NOT_ALLOWED`.
 */
export function linkOf(
  dependencies: ReadLinkDependencies,
  exchange: Exchange,
  owner: LinkOwner,
  content: LinkContent,
): { link: Link; exchange: KeyExchange } {
  const { request, size } = checkContent(content, owner.policy);
  const { kind, options, parameters } = content;
  const { accountId, planName, ...usage } = { ...owner, planName: owner.plan };
  const caller = { ...usage, accountId, planName, sessionId: null, plan: planOf(dependencies.form, planName) };
  const fingerprint = captureFingerprint(kind.type, request, dependencies.encryptor.keyedHash);
  return {
    exchange: Object.assign(exchange, { caller }),
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
        width: size?.width ?? request.width,
        height: size?.height ?? Math.round(request.height * request.device_scale_factor),
      },
      policy: owner.policy,
    },
  };
}

/** The gateway would use the last of two equal parameters, though the signer may have meant the first. */
function refuseRepeated(query: URLSearchParams): void {
  const names = [...query.keys()];
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  if (repeated.size > 0) throw invalidRequest([...repeated].map((field) => ({ field, message: 'is given twice' })));
}

/** Compares in constant time, so that the time reveals nothing about the right signature. */
function isSigned(signature: string, text: string, { secrets }: LinkOwner): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const presented = Buffer.from(signature, 'hex');
  return secrets.some((secret) => timingSafeEqual(createHmac('sha256', secret).update(text).digest(), presented));
}
