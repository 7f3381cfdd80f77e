import type { Bounds, Expectation } from '../case.ts';
import { isAboutImage } from '../case.ts';
import { inBounds, inWords } from './bounds.ts';
import { checkPdf, drawPdf } from './pdf.ts';
import { colourAt, countBlocks, countIn, isNear, type Pixels, readPixels } from './pixels.ts';

/** The result of a capture. Values that a tool does not report are null. */
export interface Result {
  /** The image or the PDF; null if there is none. */
  bytes: Buffer | null;
  /** `error_code`, or the message of a tool that has no codes; null if there was no error. */
  error: string | null;
  /** Reasons of the `quality`; empty if it is ok. */
  quality: readonly string[] | null;
  wait: string | null;
  banner: string | null;
}

/** Makes the result of a tool that returns only a file. */
export const onlyBytes = (bytes: Buffer): Result => ({ bytes, error: null, quality: null, wait: null, banner: null });

/**
 * Checks a result.
 *
 * @param options.imageOnly leaves out values that only our service reports.
 * @returns the errors, in sentences; empty if the result is right.
 */
export async function checkResult(
  result: Result,
  expect: readonly Expectation[],
  { imageOnly = false } = {},
): Promise<string[]> {
  const wrong = imageOnly ? [] : expect.flatMap((each) => checkReport(result, each));
  const wantsError = expect.some((each) => 'error' in each);
  if (result.error !== null && !wantsError) return [...wrong, `it failed: ${result.error}`];
  const about = expect.filter(isAboutImage);
  if (about.length === 0) return wrong;
  if (!result.bytes) return [...wrong, 'there is no file'];
  try {
    if (about.some((each) => 'pdf' in each)) {
      const drawn = await drawPdf(result.bytes);
      return [...wrong, ...about.flatMap((each) => ('pdf' in each ? checkPdf(drawn, each.pdf) : []))];
    }
    const image = await readPixels(result.bytes);
    return [...wrong, ...about.flatMap((each) => checkImage(image, each))];
  } catch (error) {
    return [...wrong, `the file cannot be read: ${(error as Error).message}`];
  }
}

function checkReport({ error, quality, wait, banner }: Result, each: Expectation): string[] {
  const oneOf = (what: string, value: string | null, wanted: string | readonly string[]) =>
    [wanted].flat().includes(value ?? '') ? [] : [`${what} is ${value}, not ${[wanted].flat().join(' or ')}`];
  if ('error' in each) return oneOf('the error', error, each.error);
  if ('wait' in each) return oneOf('the wait', wait, each.wait);
  if ('banner' in each) return oneOf('the result for the banner', banner, each.banner);
  if (!('quality' in each)) return [];
  const reasons = quality?.length === 0 ? ['ok'] : quality;
  const right = [each.quality].flat().some((wanted) => reasons?.includes(wanted));
  return right
    ? []
    : [`the quality is ${reasons?.join(', ') ?? 'not reported'}, not ${[each.quality].flat().join(' or ')}`];
}

const toBounds = (wanted: number | Bounds): Bounds =>
  typeof wanted === 'number' ? { least: wanted - 1, most: wanted + 1 } : wanted;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function checkImage(image: Pixels, each: Expectation): string[] {
  if ('at' in each) {
    const seen = colourAt(image, ...each.at);
    if (seen && isNear(seen, each.is)) return [];
    return [`at ${each.at.join(', ')} it is ${seen ?? 'outside of the image'}, not ${each.is}`];
  }
  if ('area' in each && 'has' in each) {
    const { found, size } = countIn(image, each.has, each.area);
    const share = found / size;
    if (share >= each.least) return [];
    return [`${percent(share)} of the area ${each.area.join(', ')} are ${each.has}, not ${percent(each.least)}`];
  }
  if ('area' in each) {
    const { found } = countIn(image, each.lacks, each.area);
    return found === 0 ? [] : [`${found} pixels of the area ${each.area.join(', ')} are ${each.lacks}`];
  }
  if ('whole' in each) {
    const { found } = countIn(image, each.whole);
    return inBounds(found, each.pixels) ? [] : [`${found} pixels are ${each.whole}, not ${inWords(each.pixels)}`];
  }
  if ('blocks' in each) {
    const blocks = countBlocks(image, each.blocks);
    return blocks === each.count ? [] : [`${blocks} blocks are ${each.blocks}, not ${each.count}`];
  }
  if (!('size' in each)) return [];
  return (['width', 'height'] as const).flatMap((side) => {
    const wanted = each.size[side];
    if (wanted === undefined || inBounds(image[side], toBounds(wanted))) return [];
    return [`the ${side} is ${image[side]}, not ${typeof wanted === 'number' ? wanted : inWords(wanted)}`];
  });
}
