import { service } from '@capture/contract/compat/screenshotone/table';
import { invalidRequest } from '@capture/contract/errors';
import { translate } from '@capture/contract/translations/translate';
import type { Request } from 'express';
import type { Exchange } from '../../../http/exchange.ts';
import { valuesOf } from '../../../http/form-body.ts';
import { queryOf } from '../../../http/parameters.ts';
import { findSigner } from '../../../links/read-link.ts';
import { showTranslatedLink } from '../shared/show-translated-link.ts';
import type { CompatDependencies } from '../shared/take-translated.ts';

/** How long ScreenshotOne caches an image, seconds. */
const theirTtlS = 14_400;

/** Options that only a server's request may use. */
const notOfLinks = ['async', 'response_type', 'markdown', 'cache_key', 'external_identifier'];

/** Whether the URL is a public one: it is signed, and contains the ID of an API key instead of the key. */
export function isScreenshotOneLink(req: Request): boolean {
  const query = queryOf(req);
  return query.has('signature') && query.get('access_key')?.startsWith('key_') === true;
}

/** Shows a signed URL: `/take?access_key={key id}&…&signature={HMAC-SHA256 of the rest, keyed with the link secret}`. */
export async function showScreenshotOneLink(dependencies: CompatDependencies, opened: Exchange): Promise<void> {
  const { req } = opened;
  const query = queryOf(req);
  const signed = req.originalUrl.slice(req.originalUrl.indexOf('?') + 1);
  const owner = await findSigner(dependencies, opened, {
    keyId: query.get('access_key') ?? '',
    signature: query.get('signature') ?? '',
    // Exactly the bytes that the client signed.
    text: signed
      .split('&')
      .filter((pair) => !pair.startsWith('signature='))
      .join('&'),
  });
  const { access_key: _, signature: __, cache: ___, cache_ttl: ttl = theirTtlS, ...given } = valuesOf(query);
  const misplaced = notOfLinks.filter((name) => given[name] !== undefined);
  if (misplaced.length > 0) {
    throw invalidRequest(misplaced.map((field) => ({ field, message: 'cannot be part of a signed URL' })));
  }
  const translation = translate(service, given);
  await showTranslatedLink(dependencies, opened, { owner, translation, ttl: { name: 'cache_ttl', seconds: ttl } });
}
