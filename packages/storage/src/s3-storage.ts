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
import { checkKey, type Storage, type StoredFile, StoreUnavailable } from './storage.ts';

export interface S3StorageOptions {
  bucket: string;
  /** The prefix of every key with its slash, such as `captures/`; may be empty. */
  prefix: string;
  region: string;
  /** The endpoint of a store other than Amazon's; addressed by path, `https://endpoint/bucket/key`. */
  endpoint?: string | undefined;
  /**
   * Returns links to its files, signed with the store's key, so that their bytes do not pass through the gateway. `endpoint` is
   * the endpoint for clients, if they cannot use the platform's endpoint.
   */
  presigned?: { endpoint?: string | undefined } | undefined;
  /** Overrides the timeout of each attempt, for tests. */
  respondWithinMs?: number;
}

/** The connection timeout, milliseconds. */
const connectWithinMs = 5_000;

/** The timeout of an idle connection, milliseconds. */
const idleForMs = 30_000;

/**
 * The timeout of an attempt from its start, including the upload, until the response begins, milliseconds. A store that reads
 * slowly must not hold a capture for ever. The largest file has 96 MB and needs 13 Mbit/s.
 */
const respondWithinMs = 60_000;

/** The attempts per call, with the SDK's delays; the callers retry as well. */
const triesAtMost = 3;

/** The most connections; further calls wait. A gateway needs one for each file that it sends, and clients may read slowly. */
const connectionsAtMost = 1_000;

/**
 * Stores files in a bucket of S3 or of a compatible store. Finds credentials as every Amazon SDK does: in the variables
 * `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or from the role of the machine. S3 puts are atomic.
 *
 * @throws if the bucket does not exist or cannot be reached.
 */
export async function openS3Storage(options: S3StorageOptions): Promise<Storage> {
  const { bucket, prefix, region, endpoint, presigned } = options;
  const agent = { keepAlive: true, maxSockets: connectionsAtMost };
  const client = new S3Client({
    ...clientConfig(region, endpoint),
    maxAttempts: triesAtMost,
    requestHandler: {
      connectionTimeout: connectWithinMs,
      socketTimeout: idleForMs,
      requestTimeout: options.respondWithinMs ?? respondWithinMs,
      throwOnRequestTimeout: true,
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
      const target = { ...place(key), Body: bytes, ContentLength: bytes.length };
      await client.send(new PutObjectCommand(target)).catch(unavailable);
    },

    async open(key, part) {
      const target = { ...place(key), ...(part && { Range: `bytes=${part.start}-${part.end}` }) };
      try {
        return asFile(await client.send(new GetObjectCommand(target)));
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        return unavailable(error);
      }
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand(place(key))).catch(unavailable);
    },

    async *list(writtenBefore) {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix });
      for await (const { Contents: objects = [] } of pages) {
        for (const { Key: key, LastModified: modified } of objects) {
          if (key !== undefined && modified && modified < writtenBefore) yield key.slice(prefix.length);
        }
      }
    },

    ...(presigned && { link: createLinks(new S3Client(clientConfig(region, presigned.endpoint ?? endpoint)), place) }),
  };
}

/** Creates a bucket if it does not exist. @returns whether the bucket was created. */
export async function createBucket({ bucket, region, endpoint }: S3StorageOptions): Promise<boolean> {
  const client = new S3Client(clientConfig(region, endpoint));
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

function clientConfig(region: string, endpoint: string | undefined): S3ClientConfig {
  if (endpoint === undefined) return { region };
  // Not every compatible store supports the checksums that Amazon's SDK has added since 2025.
  const checksums = 'WHEN_REQUIRED';
  return {
    region,
    endpoint,
    forcePathStyle: true,
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
  };
}

/** Signs links without a request to the store, so it also signs links to missing files. */
function createLinks(
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

/** Wraps the cause, so that a broken connection to the store is not mistaken for a broken connection to the database. */
function unavailable(cause: unknown): never {
  throw new StoreUnavailable(`the store did not respond as expected: ${(cause as Error).message}`, { cause });
}

function asFile({ Body: stream, ContentLength: size }: GetObjectCommandOutput): StoredFile {
  if (!(stream instanceof Readable) || size === undefined) throw new Error('the store returned no file');
  return { size, stream };
}
