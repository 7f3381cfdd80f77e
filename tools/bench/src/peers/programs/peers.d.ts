// Of the peers that are installed outside of the repository, what the programs here use.

declare module 'puppeteer-cluster' {
  import type { LaunchOptions, Page } from 'puppeteer';

  export class Cluster {
    static readonly CONCURRENCY_CONTEXT: number;
    static launch(options: {
      puppeteer: unknown;
      concurrency: number;
      maxConcurrency: number;
      puppeteerOptions: LaunchOptions;
    }): Promise<Cluster>;
    execute<Data, Result>(data: Data, task: (job: { page: Page; data: Data }) => Promise<Result>): Promise<Result>;
    idle(): Promise<void>;
    close(): Promise<void>;
  }
}

declare module 'browserless' {
  interface Context {
    screenshot(
      url: string,
      options: {
        type: 'png';
        fullPage: boolean;
        viewport: { width: number; height: number; deviceScaleFactor: number };
      },
    ): Promise<Uint8Array>;
    destroyContext(): Promise<void>;
  }
  interface Browser {
    createContext(): Promise<Context>;
    close(): Promise<void>;
  }
  export default function create(options: { executablePath: string }): Browser;
}
