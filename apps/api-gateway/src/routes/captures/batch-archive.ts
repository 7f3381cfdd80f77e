import type { Readable } from 'node:stream';
import type { ContractForm } from '@capture/contract/forms/forms';
import { listItems, type StoredBatch, type StoredItem } from '@capture/database/captures/find-batch';
import type { FileUrlOf } from '@capture/database/captures/stored-outputs';
import type { Database } from '@capture/database/database';
import type { Storage } from '@capture/storage/storage';
import yazl from 'yazl';
import { extensionOf } from '../../captures/file-headers.ts';
import { batchRecord } from '../../captures/records.ts';
import type { KeyExchange } from '../../http/exchange.ts';
import { pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { sendStream } from '../../http/send-stream.ts';
import type { Admission } from '../../limits/admission.ts';
import { ownBatch } from './batches.ts';

/** Images and PDFs are already compressed: compressing them again takes time and saves nothing. */
const uncompressed = { compress: false };

interface ArchiveDependencies {
  database: Database;
  storage: Storage;
  form: ContractForm;
  fileUrlOf: FileUrlOf;
  admission: Admission;
}

/** Streams the files of a batch as a zip, with a `manifest.json` that describes each file. One file is open at a time. */
export function batchArchiveRoute(dependencies: ArchiveDependencies): Route {
  return {
    method: 'GET',
    path: '/api/v1/batches/:id/archive',
    auth: 'key',
    cost: 'none',
    id: 'getBatchArchive',
    tag: 'Batches',
    summary: 'Download a batch’s files as a zip',
    description: 'Includes a `manifest.json` that describes each file.',
    responses: { 200: { description: 'The archive.', media: ['application/zip'] } },
    errors: ['RATE_LIMITED'],
    async handle(exchange: KeyExchange) {
      const { req, caller } = exchange;
      const batch = await ownBatch(dependencies, caller.accountId, pathParameter(req, 'id'));
      await dependencies.admission.run('archive', caller.accountId, () => send(dependencies, exchange, batch));
    },
  };
}

async function send(
  { database, storage }: ArchiveDependencies,
  exchange: KeyExchange,
  batch: StoredBatch,
): Promise<void> {
  const { res } = exchange;
  const items = await listItems(database.pool, { batchId: batch.id, after: -1, limit: batch.total });
  const zip = new yazl.ZipFile();
  let reading: Readable | undefined;
  const manifest = { ...batchRecord(batch), items: items.map(manifestEntry) };
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 'manifest.json');
  for (const item of items) {
    for (const { file: name, key } of filesOf(item)) {
      zip.addReadStreamLazy(name, uncompressed, (done) => {
        storage.open(key).then(
          (file) => {
            if (!file) return done(new Error(`the file of ${item.id} is gone`), undefined as never);
            reading = file.stream;
            if (res.destroyed) reading.destroy();
            done(null, reading);
          },
          (error) => done(error, undefined as never),
        );
      });
    }
  }
  zip.end();
  res.setHeader('Content-Type', 'application/zip');
  res.setHeader('Content-Disposition', `attachment; filename="${batch.id}.zip"`);
  const output = zip.outputStream;
  // A truncated archive must not look complete, so an error cuts the connection.
  zip.on('error', (error) => res.destroy(error));
  // yazl does not close the file it reads when the client disconnects.
  res.once('close', () => reading?.destroy());
  exchange.onlyWaits();
  await sendStream(output, res);
}

function manifestEntry(item: StoredItem) {
  return {
    index: item.index,
    request_id: item.id,
    url: item.url,
    status: item.status,
    error_code: item.errorCode,
    file: item.storageKey === null ? null : fileName(item),
    ...(item.outputs && {
      outputs: filesOf(item)
        .slice(1)
        .map(({ key: _key, ...output }) => output),
    }),
  };
}

/** `0042-req_….png`: the names sort in the client's order. */
function fileName({ index, id, format }: Pick<StoredItem, 'index' | 'id' | 'format'>): string {
  return `${String(index).padStart(4, '0')}-${id}.${extensionOf(format)}`;
}

/** The files of an item, its main file first. */
function filesOf(item: StoredItem) {
  const { index, id, storageKey, outputs } = item;
  if (storageKey === null) return [];
  const further = (outputs ?? []).map(({ name, kind, format, key }) => ({
    ...{ name, kind, key },
    file: fileName({ index, id: `${id}-${name}`, format }),
  }));
  return [{ key: storageKey, file: fileName(item) }, ...further];
}
