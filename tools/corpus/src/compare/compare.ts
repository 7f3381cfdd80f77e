import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Case } from '../case.ts';
import { checkResult, type Result } from '../check/check-result.ts';
import { pairImage } from './pair-image.ts';
import { type Method, type Pair, pairs } from './pairs.ts';
import { drawWithPuppeteer } from './puppeteer.ts';

const labels: Readonly<Record<Method, string>> = {
  'full page': 'Puppeteer, fullPage',
  'tall window': 'Puppeteer, fullPage in a tall window',
  stitched: 'Puppeteer, windows stitched together',
  gpu: 'Puppeteer, fullPage, with a GPU',
  'one font': 'Puppeteer, one font family',
};

/** Returns the pairs of the given cases, each with its case. */
export function findPairs(cases: readonly Case[]): { pair: Pair; each: Case }[] {
  return pairs.flatMap((pair) => {
    const each = cases.find(({ name }) => name === pair.case);
    return each ? [{ pair, each }] : [];
  });
}

export interface CompareOptions {
  cases: readonly Case[];
  draw(each: Case, url: string): Promise<Result>;
  url(page: string): string;
  /** The folder for the images. */
  out: string;
  chromium: string;
  /** A folder for temporary files of this run. */
  folder: string;
  aborted: AbortSignal;
  progress(line: string): void;
}

/** Writes an image of each pair: Puppeteer on the left, the platform on the right. @throws {Error} if a capture of the platform is wrong. */
export async function compare({ cases, draw, url, out, chromium, folder, aborted, progress }: CompareOptions) {
  mkdirSync(out, { recursive: true });
  for (const { pair, each } of findPairs(cases)) {
    aborted.throwIfAborted();
    const page = url(each.page);
    const left = await drawWithPuppeteer(each, page, pair.method, { executablePath: chromium, folder });
    const result = await draw(each, page);
    const [wrong] = await checkResult(result, each.expect, { imageOnly: false });
    if (wrong !== undefined || result.bytes === null) throw new Error(`${each.name}: ${wrong ?? result.error}`);
    const image = await pairImage(
      [
        { label: labels[pair.method], colour: '#57606a', capture: left },
        { label: 'this platform', colour: '#1a7f37', capture: result.bytes },
      ],
      pair.rows,
    );
    const file = path.join(out, `compared-${pair.name}.webp`);
    writeFileSync(file, image);
    progress(`${file} (${Math.ceil(image.length / 1_024)} KiB)`);
  }
}
