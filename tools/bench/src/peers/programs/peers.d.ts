// Declares the parts of peers that the programs use. Peers are installed outside of the repository.

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
        element?: string;
        clip?: { x: number; y: number; width: number; height: number };
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

declare module 'capture-website' {
  import type { LaunchOptions } from 'puppeteer';

  interface Options {
    width: number;
    height: number;
    scaleFactor: number;
    fullPage: boolean;
    element?: string;
    clip?: { x: number; y: number; width: number; height: number };
    /** Seconds. */
    timeout: number;
    blockAds: boolean;
    launchOptions: LaunchOptions;
  }
  const captureWebsite: { buffer(url: string, options: Options): Promise<Uint8Array> };
  export default captureWebsite;
}
