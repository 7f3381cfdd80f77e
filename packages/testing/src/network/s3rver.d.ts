/** Declares a small S3 for tests, which brings no types. */
declare module 's3rver' {
  /** A middleware of Koa, the framework of the store. */
  export type Middleware = (
    context: { res: import('node:http').ServerResponse },
    next: () => Promise<void>,
  ) => Promise<void>;
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      configureBuckets: { name: string }[];
    });
    readonly middleware: Middleware[];
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}
