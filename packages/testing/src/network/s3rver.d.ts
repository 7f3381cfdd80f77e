/** A small S3 for tests; it brings no types of its own. */
declare module 's3rver' {
  /** As Koa has it. */
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
