import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ContractForm } from '@capture/contract/forms/forms';
import type { FileUrlOf } from '@capture/database/captures/batch-progress';
import { listItems, type StoredItem } from '@capture/database/captures/find-batch';
import type { Database } from '@capture/database/database';
import type { Storage } from '@capture/storage/storage';
import yazl from 'yazl';
import { batchRecord } from '../../captures/batch-record.ts';
import { ignoreHangUp } from '../../captures/respond-capture.ts';
import { pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { ownBatch } from './batches.ts';

/** Pictures and PDFs are compressed already; once more would cost time and win nothing. */
const asItIs = { compress: false };

type ArchiveDependencies = { database: Database; storage: Storage; form: ContractForm; fileUrlOf: FileUrlOf };

/** The files of a batch as a zip, with a `manifest.json` that says what each is; streamed, one file open at a time. */
export function batchArchiveRoute(dependencies: ArchiveDependencies): Route {
  const { database, storage } = dependencies;
  return {
    method: 'GET',
    path: '/api/v1/batches/:id/archive',
    auth: 'key',
    cost: 'none',
    docs: {
      id: 'getBatchArchive',
      tag: 'Batches',
      summary: 'Read a batch’s files as a zip',
      description: 'With a `manifest.json` that says what each file is.',
      responses: { 200: { description: 'The archive.', media: ['application/zip'] } },
    },
    async handle({ req, res, caller }) {
      const batch = await ownBatch(dependencies, caller.accountId, pathParameter(req, 'id'));
      const items = await listItems(database.pool, { batchId: batch.id, after: -1, limit: batch.total });
      const zip = new yazl.ZipFile();
      let reading: Readable | undefined;
      const manifest = { ...batchRecord(batch), items: items.map(manifestEntry) };
      zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 'manifest.json');
      for (const item of items) {
        const { storageKey } = item;
        if (storageKey === null) continue;
        zip.addReadStreamLazy(fileName(item), asItIs, (give) => {
          storage.open(storageKey).then(
            (file) => {
              if (!file) return give(new Error(`the file of ${item.id} is gone`), undefined as never);
              reading = file.stream;
              if (res.destroyed) reading.destroy();
              give(null, reading);
            },
            (error) => give(error, undefined as never),
          );
        });
      }
      zip.end();
      res.setHeader('Content-Type', 'application/zip');
      res.setHeader('Content-Disposition', `attachment; filename="${batch.id}.zip"`);
      const output = zip.outputStream;
      // An archive that breaks off must not look whole: the connection is cut.
      zip.on('error', (error) => res.destroy(error));
      // The zip does not close what it reads when a client hangs up in the middle of it.
      res.once('close', () => reading?.destroy());
      await pipeline(output, res).catch(ignoreHangUp);
    },
  };
}

function manifestEntry(item: StoredItem) {
  return {
    index: item.index,
    request_id: item.id,
    url: item.url,
    status: item.status,
    error_code: item.errorCode,
    file: item.storageKey === null ? null : fileName(item),
  };
}

/** `0042-req_….png`: in the client's order, whatever sorts them. */
function fileName({ index, id, format }: StoredItem): string {
  return `${String(index).padStart(4, '0')}-${id}.${format}`;
}
