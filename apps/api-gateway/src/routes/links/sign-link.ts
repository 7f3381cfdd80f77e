import { createHmac } from 'node:crypto';
import * as schemas from '@capture/contract/api/link-schemas';
import { monthOf } from '@capture/contract/api/month';
import { ApiError, invalidRequest } from '@capture/contract/errors';
import { signedText } from '@capture/contract/links/link-parameters';
import type { LinkSize } from '@capture/contract/links/link-policy';
import type { FilledRequest } from '@capture/contract/options/capture-options';
import { parseRequest } from '@capture/contract/options/parse-request';
import { databaseNow } from '@capture/database/database-clock';
import { findLinkOwner, type LinkOwner } from '@capture/database/links/find-link-owner';
import { linkSecretCreatedAt } from '@capture/database/links/link-secret';
import type { Caller, KeyExchange } from '../../http/exchange.ts';
import type { Route } from '../../http/route.ts';
import { checkContent, readContent, readParameters } from '../../links/link-content.ts';
import type { PresetDependencies } from '../../presets/find-presets.ts';
import { noLinkSecret } from './link-settings.ts';

interface SignLinkDependencies extends PresetDependencies {
  links: { publicUrl: string };
}

/**
 * Signs a link for its account. A client with a key can create a new secret anyway, so this route gives no new power: the
 * dashboard needs no secret, and the link is checked before a page has it.
 */
export function signLinkRoute(dependencies: SignLinkDependencies): Route {
  return {
    method: 'POST',
    path: '/api/v1/links',
    auth: 'key',
    cost: 'none',
    tag: 'Links',
    id: 'signLink',
    summary: 'Sign a render link',
    description:
      'Checks the content of the link as a use of it would, and signs it with the current link secret. Nothing is stored or rendered. Servers with many links sign them without a request.',
    body: {
      schema: schemas.newLink,
      example: { file: 'screenshot.webp', parameters: { url: 'https://example.com/', width: 1_200 } },
      required: true,
    },
    responses: { 200: { description: 'The link.', json: schemas.signedLink } },
    errors: ['LINK_NOT_ALLOWED', 'NOT_FOUND'],
    async handle({ req, res, caller }: KeyExchange) {
      const { file, parameters, key_id } = parseRequest(schemas.newLink, req.body, 'a link');
      const owner = await findOwner(dependencies, caller, key_id ?? caller.keyId);
      const query = new URLSearchParams(Object.entries(parameters).flatMap(asPairs));
      const { request, size } = await check(dependencies, owner, file, query);
      const text = signedText(file, query);
      const signature = createHmac('sha256', owner.secrets[0] ?? '')
        .update(text)
        .digest('hex');
      res.json({
        url: `${dependencies.links.publicUrl}/r/${owner.keyId}/${signature}/${text}`,
        ...shownSize(request, size),
      });
    },
  };
}

/** Converts a parameter to the pairs that a query has. */
function asPairs([name, value]: [string, unknown]): [string, string][] {
  if (value === null) return [];
  return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
}

async function findOwner(
  { database, encryptor }: SignLinkDependencies,
  { accountId }: Caller,
  keyId: string | null,
): Promise<LinkOwner> {
  if (!(await linkSecretCreatedAt(database.pool, accountId))) throw noLinkSecret();
  if (keyId === null)
    throw invalidRequest([{ field: 'key_id', message: 'is required in a session without an API key' }]);
  const owner = await findLinkOwner(database.pool, encryptor, keyId, monthOf(databaseNow()));
  if (owner?.accountId === accountId) return owner;
  throw invalidRequest([{ field: 'key_id', message: 'is not an API key of this account', value: keyId }]);
}

/** @throws {ApiError} the error that a use of the link would get. */
async function check(dependencies: SignLinkDependencies, owner: LinkOwner, file: string, query: URLSearchParams) {
  try {
    const parameters = readParameters(query);
    const { expires } = parameters;
    if (expires !== undefined && expires * 1_000 <= databaseNow().getTime()) {
      throw invalidRequest([{ field: 'expires', message: 'must be in the future', value: expires }]);
    }
    return checkContent(await readContent(dependencies, owner.accountId, { file, query, parameters }), owner.policy);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'INVALID_REQUEST' || !error.details) throw error;
    throw invalidRequest(error.details.map((detail) => ({ ...detail, field: `parameters.${detail.field}` })));
  }
}

/** Returns the size of the image in the pixels of the page that shows it: a denser image is shown at the same size. */
function shownSize(request: FilledRequest & { resize_width?: number; resize_height?: number }, size: LinkSize | null) {
  if (!size) return { width: null, height: null };
  const isResized = request.resize_width !== undefined || request.resize_height !== undefined;
  const density = isResized ? 1 : request.device_scale_factor;
  return { width: Math.round(size.width / density), height: size.height && Math.round(size.height / density) };
}
