// `node packages/storage/dist/create-bucket.js` creates the bucket of STORAGE_URL in a new store, as docker-compose.yml does. It
// does nothing if the bucket exists, or if files are in a folder.
import { parseBucketUrl } from './open-storage.ts';
import { createBucket } from './s3-storage.ts';

const url = process.env.STORAGE_URL;
if (!url) throw new Error('STORAGE_URL is missing');
const options = url.startsWith('s3:') ? parseBucketUrl(new URL(url)) : null;
if (options) {
  const made = await createBucket(options);
  console.log(made ? `created the bucket ${options.bucket}` : `the bucket ${options.bucket} already exists`);
} else {
  console.log('STORAGE_URL names no bucket');
}
