import { service } from '@capture/contract/compat/urlbox/table';
import { invalidRequest } from '@capture/contract/errors';
import { translate } from '@capture/contract/translations/translate';
import type { Exchange } from '../../../http/exchange.ts';
import { valuesOf } from '../../../http/form-body.ts';
import { pathParameter, queryOf } from '../../../http/parameters.ts';
import { findSigner } from '../../../links/read-link.ts';
import { showTranslatedLink } from '../shared/show-translated-link.ts';
import type { CompatDependencies } from '../shared/take-translated.ts';

/** How long Urlbox keeps an image, seconds. */
const theirTtlS = 2_592_000;

/** Shows a render link: `/v1/{key id}/{HMAC-SHA256 of the query, keyed with the link secret}/{format}?{query}`. */
export async function showUrlboxLink(dependencies: CompatDependencies, opened: Exchange): Promise<void> {
  const { req } = opened;
  const owner = await findSigner(dependencies, opened, {
    keyId: pathParameter(req, 'key'),
    signature: pathParameter(req, 'token'),
    // Exactly the bytes that the client signed.
    text: req.originalUrl.slice(req.originalUrl.indexOf('?') + 1),
  });
  const { ttl = theirTtlS, force, ...given } = valuesOf(queryOf(req));
  if (force !== undefined) throw invalidRequest([{ field: 'force', message: 'cannot be part of a link: use ttl' }]);
  const translation = translate(service, { ...given, format: pathParameter(req, 'format') });
  await showTranslatedLink(dependencies, opened, { owner, translation, ttl: { name: 'ttl', seconds: ttl } });
}
