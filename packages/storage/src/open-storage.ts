import { fileURLToPath } from 'node:url';
import { openDiskStorage } from './disk-storage.ts';
import type { S3StorageOptions } from './s3-storage.ts';
import { checkKey, type Storage } from './storage.ts';

/** Amazon's default region; other stores usually accept any region. */
const defaultRegion = 'us-east-1';

const folderForm = 'file:///an/absolute/folder';
const bucketForm = 's3://bucket/optional/prefix?region=…&endpoint=https://…';

/**
 * Opens the store of a URL: `file:///dir` is a folder of this machine, `s3://bucket/prefix?endpoint=…&region=…` a bucket of S3 or
 * a compatible store. With `links=presigned` the store also returns links to its files, with `links_endpoint` if clients reach
 * the bucket under another URL.
 *
 * @throws {Error} with one sentence, if the URL is not a supported store or the store cannot be used.
 */
export async function openStorage(url: string): Promise<Storage> {
  const { protocol } = parse(url);
  switch (protocol) {
    case 'file:':
      return openFolder(url);
    case 's3:':
      return openBucket(new URL(url));
    default:
      throw new Error(`STORAGE_URL: ${protocol}// is not a supported store; use ${folderForm} or ${bucketForm}.`);
  }
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    // The error does not contain the URL, because the URL may contain a key.
    throw new Error(`STORAGE_URL is not a URL; use ${folderForm} or ${bucketForm}.`);
  }
}

async function openFolder(url: string): Promise<Storage> {
  let directory: string;
  try {
    directory = fileURLToPath(url);
  } catch (cause) {
    throw new Error(`STORAGE_URL: a file URL has three slashes and no host: ${folderForm}.`, { cause });
  }
  try {
    return await openDiskStorage({ directory });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Error(`STORAGE_URL: the folder ${directory} cannot be used (${code}).`, { cause });
  }
}

/** Reads the options of a bucket's URL. @throws {Error} with one sentence, for unknown or invalid options. */
export function parseBucketUrl({
  hostname: bucket,
  username,
  password,
  pathname,
  searchParams,
}: URL): S3StorageOptions {
  if (username !== '' || password !== '') {
    throw new Error('STORAGE_URL: keys do not belong in the URL; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  }
  const { region = defaultRegion, endpoint, links, links_endpoint, ...others } = Object.fromEntries(searchParams);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new Error(`STORAGE_URL: ${unknown} is not a setting of a bucket; use ${bucketForm}.`);
  for (const [name, address] of Object.entries({ endpoint, links_endpoint })) {
    if (address !== undefined && !/^https?:\/\/[^/@]+\/?$/.test(address)) {
      throw new Error(`STORAGE_URL: ${name} must be an http:// or https:// address without a path or a user.`);
    }
  }
  if (links !== undefined && links !== 'presigned') {
    throw new Error('STORAGE_URL: links can only be presigned; without it the gateway serves the files.');
  }
  if (links_endpoint !== undefined && links === undefined) {
    throw new Error('STORAGE_URL: links_endpoint needs links=presigned.');
  }
  const presigned = links && { endpoint: links_endpoint };
  const folder = pathname.replace(/^\/+|\/+$/g, '');
  if (folder !== '') checkKey(folder);
  return { bucket, prefix: folder === '' ? '' : `${folder}/`, region, endpoint, ...(presigned && { presigned }) };
}

async function openBucket(url: URL): Promise<Storage> {
  const options = parseBucketUrl(url);
  // The SDK is loaded only for a bucket, because loading it takes longer than opening a store on disk.
  const { openS3Storage } = await import('./s3-storage.ts');
  try {
    return await openS3Storage(options);
  } catch (cause) {
    const { name, message } = cause as Error;
    throw new Error(`STORAGE_URL: the bucket ${options.bucket} cannot be used (${name}: ${message}).`, { cause });
  }
}
