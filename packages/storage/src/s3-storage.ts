import { Readable } from 'node:stream';
import {
  BucketAlreadyExists,
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { checkKey, type Storage, type StoredFile } from './storage.ts';

export interface S3StorageOptions {
  bucket: string;
  /** Before every key, with its slash: `captures/`; empty for none. */
  prefix: string;
  region: string;
  /** Of a store other than Amazon's own; such are spoken to by path, `https://endpoint/bucket/key`. */
  endpoint?: string | undefined;
  /**
   * Gives links to its files, signed with the store's own key, so that their bytes do not pass through the gateway:
   * `endpoint` is where clients reach the store, when that is not where the platform does.
   */
  presigned?: { endpoint?: string | undefined } | undefined;
}

/** A store that does not even take a connection within this is not there. Milliseconds. */
const connectWithinMs = 5_000;

/** Nothing moved on a connection for this long: it is dead. A capture's file is some megabytes at most. */
const idleForMs = 30_000;

/** Tries of one call, with the SDK's own pauses in between; the callers have theirs as well. */
const triesAtMost = 3;

/** As many as pages and downloads of one process at once; more wait for a free one. */
const connectionsAtMost = 100;

/**
 * Files in a bucket of S3, or of anything that speaks its protocol. Who may use it is found as in every Amazon SDK: the
 * variables `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or the role of the machine. A put of S3 is whole or not at all.
 *
 * @throws when the bucket cannot be reached or is not there.
 */
export async function openS3Storage(options: S3StorageOptions): Promise<Storage> {
  const { bucket, prefix, region, endpoint, presigned } = options;
  const agent = { keepAlive: true, maxSockets: connectionsAtMost };
  const client = new S3Client({
    ...addressOf(region, endpoint),
    maxAttempts: triesAtMost,
    requestHandler: {
      connectionTimeout: connectWithinMs,
      socketTimeout: idleForMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  await client.send(new HeadBucketCommand({ Bucket: bucket }));
  const place = (key: string) => {
    checkKey(key);
    return { Bucket: bucket, Key: prefix + key };
  };
  return {
    async put(key, bytes) {
      await client.send(new PutObjectCommand({ ...place(key), Body: bytes, ContentLength: bytes.length }));
    },

    async open(key) {
      const target = place(key);
      try {
        return asFile(await client.send(new GetObjectCommand(target)));
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand(place(key)));
    },

    async *list(writtenBefore) {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix });
      for await (const { Contents: objects = [] } of pages) {
        for (const { Key: key, LastModified: modified } of objects) {
          if (key !== undefined && modified && modified < writtenBefore) yield key.slice(prefix.length);
        }
      }
    },

    ...(presigned && { link: linksOf(new S3Client(addressOf(region, presigned.endpoint ?? endpoint)), place) }),
  };
}

/**
 * Makes a bucket that is not there yet.
 *
 * @returns whether it was made.
 */
export async function createBucket({ bucket, region, endpoint }: S3StorageOptions): Promise<boolean> {
  const client = new S3Client(addressOf(region, endpoint));
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    return true;
  } catch (error) {
    if (error instanceof BucketAlreadyOwnedByYou || error instanceof BucketAlreadyExists) return false;
    throw error;
  } finally {
    client.destroy();
  }
}

/** Where a store is, and how it is spoken to. */
function addressOf(region: string, endpoint: string | undefined): S3ClientConfig {
  if (endpoint === undefined) return { region };
  // Not every such store knows the checksums that Amazon's has had since 2025.
  const checksums = 'WHEN_REQUIRED';
  return {
    region,
    endpoint,
    forcePathStyle: true,
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
  };
}

/** Signs links without asking the store: who follows one finds out whether the file is there. */
function linksOf(
  client: S3Client,
  place: (key: string) => { Bucket: string; Key: string },
): NonNullable<Storage['link']> {
  return (key, { contentType, contentDisposition, cacheControl, expiresInS }) =>
    getSignedUrl(
      client,
      new GetObjectCommand({
        ...place(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: contentDisposition,
        ResponseCacheControl: cacheControl,
      }),
      { expiresIn: expiresInS },
    );
}

function asFile({ Body: stream, ContentLength: size }: GetObjectCommandOutput): StoredFile {
  if (!(stream instanceof Readable) || size === undefined) throw new Error('the store answered without a file');
  return { size, stream };
}
