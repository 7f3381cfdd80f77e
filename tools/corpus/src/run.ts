import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { registerAccount } from '@capture/testing/processes/accounts';
import { startStandalone } from '@capture/testing/processes/standalone';
import { makeTestFolder } from '@capture/testing/test-run';
import type { Case } from './case.ts';
import { checkResult, onlyBytes, type Result } from './check/check-result.ts';
import { drawPdf } from './check/pdf.ts';
import { openVisitor } from './reference/visitor.ts';
import type { Run } from './report/summary.ts';
import { type Service, take } from './take.ts';

/** Draws a case. The caller measures the time. */
export type Draw = (each: Case, url: string) => Promise<Result>;

/** A tool that draws cases, and is closed after them. */
export interface Drawer {
  draw: Draw;
  /** Whether to check the service's report, too. */
  reports: boolean;
  close(): Promise<unknown>;
}

/** Starts the platform as `npm start` does, with a separate data folder. @param port the only port that captures may reach. */
export async function startPlatform(port: number): Promise<Drawer> {
  const env = {
    // As under npm, the platform ends with this process, even if this process is killed.
    npm_lifecycle_event: 'start',
    EGRESS_ALLOW: `127.0.0.1/32:${port}`,
  };
  const { supervisor, url, operatorKey } = await startStandalone(makeTestFolder('platform'), env);
  const key = await registerAccount({ url, operatorKey }, 'enterprise');
  return { ...useService({ url, key }), close: () => supervisor.stop() };
}

/** Uses a running platform, which must be allowed to reach 127.0.0.1. */
export function useService(service: Service): Drawer {
  return { draw: (each, url) => take(service, each, url), reports: true, close: async () => undefined };
}

/** Opens a patient visitor, to check the expectations themselves. */
export async function openReference(chromium: string): Promise<Drawer> {
  const visitor = await openVisitor(chromium);
  return {
    draw: async (each, url) => firstRight(each, (await visitor.draw(each, url)).map(onlyBytes)),
    reports: false,
    close: () => visitor.close(),
  };
}

async function firstRight(each: Case, results: readonly Result[]): Promise<Result> {
  for (const result of results) {
    if ((await checkResult(result, each.expect, { imageOnly: true })).length === 0) return result;
  }
  return results[0] ?? { ...onlyBytes(Buffer.alloc(0)), error: 'nothing was drawn' };
}

export interface RunOptions {
  cases: readonly Case[];
  drawer: Drawer;
  url(page: string): string;
  runs: number;
  concurrency: number;
  /** The folder for the files. Without a folder, no file is written. */
  out?: string | undefined;
  aborted: AbortSignal;
  progress(run: Run): void;
}

/** Draws every case `runs` times and checks the results. */
export async function runCases({ cases, runs, concurrency, aborted, ...options }: RunOptions): Promise<Run[]> {
  if (options.out !== undefined) mkdirSync(options.out, { recursive: true });
  const tasks = Array.from({ length: runs }, (_, run) => cases.map((each) => ({ each, run }))).flat();
  const done: Run[] = [];
  const left = tasks.entries();
  const work = async () => {
    for (const [index, { each, run }] of left) {
      aborted.throwIfAborted();
      const made = await runCase(each, runs > 1 ? `${each.name}.${run + 1}` : each.name, options);
      done[index] = made;
      options.progress(made);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return done;
}

async function runCase(each: Case, name: string, options: Pick<RunOptions, 'drawer' | 'url' | 'out'>): Promise<Run> {
  const { drawer, url, out } = options;
  const startedAt = performance.now();
  const result = await drawer
    .draw(each, url(each.page))
    .catch((error: Error): Result => ({ ...onlyBytes(Buffer.alloc(0)), bytes: null, error: error.message }));
  const ms = performance.now() - startedAt;
  const wrong = await checkResult(result, each.expect, { imageOnly: !drawer.reports });
  const { bytes } = result;
  if (out === undefined || !bytes) return { case: each, ms, wrong, file: null, preview: null };
  const file = `${name}.${each.kind === 'pdf' ? 'pdf' : 'png'}`;
  writeFileSync(path.join(out, file), bytes);
  return { case: each, ms, wrong, file, preview: each.kind === 'pdf' ? await firstPage(bytes) : bytes };
}

const firstPage = (bytes: Buffer) =>
  drawPdf(bytes).then(
    ({ pages }) => pages[0]?.png ?? null,
    () => null,
  );
