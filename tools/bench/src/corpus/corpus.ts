import { startChildProgram } from '@capture/testing/processes/child-program';
import { builtProgram } from '../built-program.ts';
import { mixedPages } from './pages.ts';

/** The pages to capture, on a server in a separate process, so that the benchmark does not delay them. */
export interface Corpus {
  port: number;
  /** The pid of the server. */
  pid: number;
  url(page: string): string;
  close(): Promise<void>;
}

/** @param fonts a folder with the web fonts of one of the pages. */
export async function openCorpus(fonts: string): Promise<Corpus> {
  const { pid, send, kill } = startChildProgram('corpus', builtProgram('corpus'), [fonts]);
  const port = await send<number>('listen');
  return { port, pid, url: (page) => `http://127.0.0.1:${port}/${page}`, close: kill };
}

/** Returns tasks for the pages of the mix, in turn. */
export const mixedTasks = ({ url }: Pick<Corpus, 'url'>, count: number): { url: string }[] =>
  Array.from({ length: count }, (_, index) => ({ url: url(mixedPages[index % mixedPages.length] ?? 'tiny') }));
