import { captureErrorCodes } from '@capture/contract/errors';
import { linkKinds, linkParameters } from '@capture/contract/links/link-parameters';
import { captureKinds } from '@capture/contract/options/capture-options';
import type { CaptureDependencies } from '../../captures/capture.ts';
import { contentTypesOf } from '../../captures/file-headers.ts';
import type { Route } from '../../http/route.ts';
import { type ReadLinkDependencies, readLink } from '../../links/read-link.ts';
import { showLink } from '../../links/show-link.ts';

/** Serves an image or PDF behind a signed URL, for `<img>`, mails, `og:image` and links. */
export function renderLinkRoute(dependencies: CaptureDependencies & ReadLinkDependencies): Route {
  const formats = Object.values(linkKinds).flatMap((type) => [...captureKinds[type].formats]);
  return {
    method: 'GET',
    path: '/r/:keyId/:signature/:file',
    auth: 'none',
    id: 'getRenderLink',
    tag: 'Links',
    summary: 'Show the image or PDF of a signed link',
    description:
      '`file` is `screenshot`, `pdf` or `og-image` with the format as its extension. The query has the options of that capture, and the parameters below. The signature covers all of them. The first use renders; later ones show the stored file. Only renders count against the quota.',
    query: linkParameters,
    responses: {
      200: {
        description: 'The file, or the placeholder. With `ETag`, `Cache-Control` and ranges.',
        media: contentTypesOf(formats),
      },
      206: { description: 'The requested range.', media: contentTypesOf(formats) },
      304: { description: 'The client’s copy is current.' },
      416: { description: 'The file has no such range.' },
    },
    errors: [
      ...captureErrorCodes,
      'LINK_INVALID',
      'LINK_EXPIRED',
      'LINK_NOT_ALLOWED',
      'FORBIDDEN',
      'NOT_FOUND',
      'RATE_LIMITED',
      'QUOTA_EXCEEDED',
      'OVERLOADED',
    ],
    async handle(opened) {
      const { link, exchange } = await readLink(dependencies, opened);
      await showLink(dependencies, exchange, link);
    },
  };
}
