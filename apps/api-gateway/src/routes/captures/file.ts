import { ApiError } from '@capture/contract/errors';
import { allCaptureKinds } from '@capture/contract/options/capture-options';
import { findCapture, type StoredCapture } from '@capture/database/captures/find-capture';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import { verifyFileLink } from '@capture/storage/file-link';
import type { Storage } from '@capture/storage/storage';
import { callingPage } from '../../auth/calling-page.ts';
import { sessionCookieOf } from '../../auth/session-cookie.ts';
import { contentTypesOf, describeFile, setFileHeaders } from '../../captures/file-headers.ts';
import { pathParameter, queryOf } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { sendStream } from '../../http/send-stream.ts';
import type { Admission } from '../../limits/admission.ts';

/** How long the storage's link lasts, seconds: clients follow it at once, and a deleted file is unreachable after this time. */
const storageLinkTtlS = 60;

interface FileDependencies {
  database: Database;
  storage: Storage;
  admission: Admission;
  links: { publicUrl: string; secretKey: string; previousSecretKey?: string | undefined };
}

/**
 * Serves a capture's file by its signed link, which needs no key and expires: the bytes, or a redirect where the storage serves
 * the file itself. Clients keep the service's link, not the storage's: it may last longer than the storage allows (seven days in
 * S3), and ends with the record.
 */
export function fileRoute({ database, storage, links, admission }: FileDependencies): Route {
  return {
    method: 'GET',
    path: '/files/:name',
    auth: 'none',
    id: 'getFile',
    tag: 'Captures',
    summary: 'Download a capture’s file by its signed link',
    description:
      'The link is the record’s `file_url`, or that of one of its `outputs`. It needs no key and expires at `expires_at`.',
    responses: {
      200: {
        description: 'The file.',
        media: contentTypesOf([...allCaptureKinds.flatMap((kind) => kind.formats), 'mhtml']),
      },
      302: {
        description: 'If a bucket serves the files itself: `Location` is a link to the bucket, valid for a minute.',
        headers: ['Location'],
      },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'RATE_LIMITED'],
    async handle({ req, res, facts }) {
      const query = queryOf(req);
      const now = databaseNow();
      const decision = verifyFileLink({
        name: pathParameter(req, 'name'),
        expires: query.get('expires'),
        signature: query.get('signature'),
        secret: links.secretKey,
        previousSecret: links.previousSecretKey,
        now,
      });
      if (!decision.valid) {
        throw new ApiError(
          'FORBIDDEN',
          decision.reason === 'expired'
            ? 'This link has expired. File links stop at the capture’s expires_at.'
            : 'This link is not valid: it was changed or cut off. Use file_url exactly as the record has it.',
        );
      }
      const remainingS = Math.floor((decision.expiresAt.getTime() - now.getTime()) / 1_000);
      const cacheControl = `private, max-age=${remainingS}, immutable`;
      const { captureId } = decision;
      const capture = await admission.run('viewer', captureId, () => findCapture(database.pool, captureId));
      // The dashboard may load images from its own origin only.
      const forOurPage = callingPage(req, links.publicUrl) === 'own' || sessionCookieOf(req, links.publicUrl) !== null;
      const linked = capture && linkedFile(capture, decision.output);
      if (capture && linked && storage.link && !forOurPage) {
        facts.account_id = capture.accountId;
        const expiresInS = Math.min(storageLinkTtlS, Math.max(1, remainingS));
        res.setHeader('Cache-Control', 'private, no-store');
        res.redirect(await storage.link(linked.key, { ...describeFile(linked), cacheControl, expiresInS }));
        return;
      }
      if (!capture || !linked) throw deleted();
      await admission.run('linkFile', capture.accountId, async () => {
        const file = await storage.open(linked.key);
        if (!file) throw deleted();
        facts.account_id = capture.accountId;
        setFileHeaders(res, linked, file.size);
        res.setHeader('Cache-Control', cacheControl);
        await sendStream(file.stream, res);
      });
    },
  };
}

const deleted = () => new ApiError('NOT_FOUND', 'This file has been deleted.');

/** Returns the file of a capture that a link names: the main file is output 1. Null if the file was deleted. */
function linkedFile({ id, storageKey, format, outputs }: StoredCapture, output: number) {
  if (storageKey === null) return null;
  if (output === 1) return { id, format, key: storageKey };
  const found = outputs?.[output - 2];
  return found ? { id, name: found.name, format: found.format, key: found.key } : null;
}
