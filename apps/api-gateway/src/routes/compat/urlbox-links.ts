import { invalidRequest } from '@capture/contract/errors';
import { linkParameters } from '@capture/contract/links/link-parameters';
import { captureKinds } from '@capture/contract/options/capture-options';
import { parseRequest } from '@capture/contract/options/parse-request';
import { secretOptionNames } from '@capture/contract/options/secret-options';
import { fromUrlbox } from '@capture/contract/translations/urlbox';
import type { Exchange } from '../../http/exchange.ts';
import { valuesOf } from '../../http/form-body.ts';
import { pathParameter, queryOf } from '../../http/parameters.ts';
import { findSigner, linkOf } from '../../links/read-link.ts';
import { showLink } from '../../links/show-link.ts';
import { type CompatDependencies, inTheirWords, refuseUnsupported } from './take-translated.ts';

/** How long Urlbox keeps an image, seconds. */
const theirTtlS = 2_592_000;

/** What a link cannot have: a URL is seen by everyone who sees the page, and has no body. */
const refused = [...secretOptionNames, 'html'];

/**
 * Shows a render link: `/v1/{key id}/{HMAC-SHA256 of the query, keyed with the link secret}/{format}?{query}`. It is a link
 * of ours but for its words: rendered once, stored, and held to the account's policy.
 */
export async function showUrlboxLink(dependencies: CompatDependencies, opened: Exchange): Promise<void> {
  const { req, res } = opened;
  const owner = await findSigner(dependencies, opened, {
    keyId: pathParameter(req, 'key'),
    signature: pathParameter(req, 'token'),
    // The bytes that the client signed.
    text: req.originalUrl.slice(req.originalUrl.indexOf('?') + 1),
  });
  const { ttl, force, ...given } = valuesOf(queryOf(req));
  if (force !== undefined) throw invalidRequest([{ field: 'force', message: 'cannot be part of a link: use ttl' }]);
  const translation = fromUrlbox({ ...given, format: pathParameter(req, 'format') });
  refuseUnsupported(res, translation);
  const { type, options, origins } = translation;
  const misplaced = refused.filter((name) => options[name] !== undefined);
  if (misplaced.length > 0) {
    throw invalidRequest(
      misplaced.map((name) => ({ field: origins[name] ?? name, message: 'cannot be part of a link' })),
    );
  }
  try {
    const parameters = parseRequest(linkParameters, { ttl_s: ttl ?? theirTtlS }, 'a link');
    const { link, exchange } = linkOf(dependencies, opened, owner, { kind: captureKinds[type], options, parameters });
    await showLink(dependencies, exchange, link);
  } catch (error) {
    throw inTheirWords(error, { ...origins, ttl_s: 'ttl' });
  }
}
