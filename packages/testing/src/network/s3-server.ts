/// <reference path="./s3rver.d.ts" />
import S3rver, { type Middleware } from 's3rver';
import { makeTestFolder } from '../test-run.ts';

export interface S3Server {
  /** The parameter of `STORAGE_URL`: `s3://captures?${parameter}`. */
  parameter: string;
  close(): Promise<void>;
}

/** The only bucket. */
const bucket = 'captures';

/** The credentials that this small S3 knows. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** Starts an S3 with one empty bucket, `captures`. */
export async function startS3Server(): Promise<S3Server> {
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: makeTestFolder('s3'),
    silent: true,
    configureBuckets: [{ name: bucket }],
  });
  // Real stores handle concurrent calls, but this store writes its files in place.
  s3.middleware.unshift(oneAtATime());
  const { port } = await s3.run();
  return { parameter: `endpoint=http://127.0.0.1:${port}`, close: () => s3.close() };
}

function oneAtATime(): Middleware {
  let last = Promise.resolve();
  return async ({ res }, next) => {
    const before = last;
    last = new Promise((resolve) => res.once('close', resolve));
    await before;
    await next();
  };
}
