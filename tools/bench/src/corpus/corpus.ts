import { startServer } from '../server-process.ts';

/** The pages that are captured, on a server of their own. */
export interface Corpus {
  port: number;
  /** Of its process. */
  pid: number;
  /** The address of a page. */
  url(page: string): string;
  close(): Promise<void>;
}

/** @param fonts a folder with the web fonts of one of the pages. */
export async function openCorpus(fonts: string): Promise<Corpus> {
  const { port, pid, close } = await startServer('corpus', [fonts]);
  return { port, pid, url: (page) => `http://127.0.0.1:${port}/${page}`, close };
}
