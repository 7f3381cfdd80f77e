// `node packages/storage/dist/create-bucket.js`: makes the bucket that STORAGE_URL names where a store begins empty, as in
// docker-compose.yml. Run again it does nothing; where files are in a folder there is nothing to do.
import { bucketOf } from './open-storage.ts';
import { createBucket } from './s3-storage.ts';

const url = process.env.STORAGE_URL;
if (!url) throw new Error('STORAGE_URL is missing');
const options = url.startsWith('s3:') ? bucketOf(new URL(url)) : null;
if (options) {
  const made = await createBucket(options);
  console.log(made ? `made the bucket ${options.bucket}` : `the bucket ${options.bucket} is there`);
} else {
  console.log('STORAGE_URL names no bucket');
}
