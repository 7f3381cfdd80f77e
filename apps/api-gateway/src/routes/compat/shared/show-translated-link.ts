import { invalidRequest } from '@capture/contract/errors';
import { linkParameters } from '@capture/contract/links/link-parameters';
import { captureKinds } from '@capture/contract/options/capture-options';
import { parseRequest } from '@capture/contract/options/parse-request';
import { secretOptionNames } from '@capture/contract/options/secret-options';
import type { Translation } from '@capture/contract/translations/translate';
import type { LinkOwner } from '@capture/database/links/find-link-owner';
import type { Exchange } from '../../../http/exchange.ts';
import { linkOf } from '../../../links/read-link.ts';
import { showLink } from '../../../links/show-link.ts';
import { type CompatDependencies, inTheirWords, refuseUnsupported } from './take-translated.ts';

/** Options that a link cannot have: every visitor of the page sees its URL, and a link has no body. */
const refused = [...secretOptionNames, 'html'];

/** How long a link's image is kept, by the option of another service. */
interface TheirTtl {
  name: string;
  seconds: unknown;
}

/**
 * Shows a signed link of another service. The link works like this service's own: rendered once, stored, and held to the
 * account's policy.
 *
 * @throws {ApiError} with the names that the other service has for its options.
 */
export async function showTranslatedLink(
  dependencies: CompatDependencies,
  opened: Exchange,
  { owner, translation, ttl }: { owner: LinkOwner; translation: Translation; ttl: TheirTtl },
): Promise<void> {
  refuseUnsupported(opened.res, translation);
  const { type, options, origins } = translation;
  const misplaced = refused.filter((name) => options[name] !== undefined);
  if (misplaced.length > 0) {
    throw invalidRequest(
      misplaced.map((name) => ({ field: origins[name] ?? name, message: 'cannot be part of a link' })),
    );
  }
  try {
    const parameters = parseRequest(linkParameters, { ttl_s: String(ttl.seconds) }, 'a link');
    const { link, exchange } = linkOf(dependencies, opened, owner, { kind: captureKinds[type], options, parameters });
    await showLink(dependencies, exchange, link);
  } catch (error) {
    throw inTheirWords(error, { ...origins, ttl_s: ttl.name });
  }
}
