import type { OutputKind } from '@capture/contract/events/events';
import type { PageRequest } from '@capture/contract/options/fill-page';
import { isGrownScreenshot } from '@capture/contract/options/outputs';
import { platformVersion } from '@capture/runtime/platform-version';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import { maxFileBytes, maxPixels } from '../limits.ts';
import { type Emulation, emulationOf } from '../load/emulation.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { contentRenderer } from '../render/content/content.ts';
import type { FurtherOutputs, RenderedFile, RenderedOutput, Renderer } from '../render/renderer.ts';
import { hasActed, settleMotion } from '../wait/settle-motion.ts';
import { textFile } from './document-files.ts';
import { holdPage, releasePage } from './hold-page.ts';
import { NetworkLog } from './network-log.ts';
import { switchTo } from './switch-screen.ts';

/** A file to draw in a visit. */
export interface Drawn {
  /** The position among the `outputs`; -1 for the capture's own file. */
  index: number;
  name: string;
  kind: OutputKind;
  request: PageRequest;
  /** Null for the network log. */
  renderer: Renderer<PageRequest> | null;
}

/** The limit for all further files of a capture together: twice the limit of its main file. */
const bytesAtMost = 2 * maxFileBytes;
const pixelsAtMost = 2 * maxPixels;

/** Draws the other files of a visit before, during and after the main file. */
export function furtherOutputs(main: Drawn, others: readonly Drawn[]): FurtherOutputs {
  const sorted = [...others].sort((one, other) => rankOf(one) - rankOf(other));
  // A screenshot of the first screen leaves the page as it is, so the page can be read while Chromium encodes the image.
  const isMeanwhile = (each: Drawn) => rankOf(each) === 0 && rankOf(main) === 1;
  const meanwhile = sorted.filter(isMeanwhile);
  const isFirst = (each: Drawn) => rankOf(each) < rankOf(main) && !isMeanwhile(each);
  const before = sorted.filter(isFirst);
  const after = sorted.filter((each) => !isFirst(each) && !isMeanwhile(each));
  let bounds = { bytes: bytesAtMost, pixels: pixelsAtMost };
  let log: NetworkLog | null = null;
  let emulation = emulationFor(main);
  let held: CapturePage | null = null;
  let reading: Promise<RenderedOutput[]> | null = null;
  const drawOne = async (page: CapturePage, each: Drawn, deadline: Deadline): Promise<RenderedOutput> => {
    const { index, name, kind } = each;
    const file = await draw(page, each, log, deadline);
    check(file, bounds);
    return { index, name, kind, file };
  };
  /** Reads the page as it stands. Chromium works while the worker writes the earlier results. */
  const readAll = async (page: CapturePage, deadline: Deadline) => {
    const read = (each: Drawn) => naming(each.name, () => drawOne(page, each, deadline));
    const inTurn = async (content: readonly Drawn[]) => {
      const files: RenderedOutput[] = [];
      for (const each of content) files.push(await read(each));
      return files;
    };
    const isContent = ({ renderer }: Drawn) => renderer?.draw === contentRenderer.draw;
    // Content outputs share copies of the page. Each of the other outputs may take hundreds of megabytes.
    const others = meanwhile.filter((each) => !isContent(each));
    const [content, files] = await Promise.all([inTurn(meanwhile.filter(isContent)), inTurn(others)]);
    return [...content, ...files];
  };
  const startReading = (page: CapturePage, deadline: Deadline) => {
    reading ??= readAll(page, deadline);
    // The rejection is handled where `reading` is awaited.
    reading.catch(() => undefined);
    return reading;
  };
  const drawAll = async (page: CapturePage, drawn: readonly Drawn[], deadline: Deadline) => {
    const files: RenderedOutput[] = [];
    for (const each of drawn) {
      const output = await naming(each.name, async () => {
        await switchTo(page, emulation, emulationFor(each), deadline);
        emulation = emulationFor(each);
        return drawOne(page, each, deadline);
      });
      if (each.kind === 'pdf') emulation = afterPrinting(emulation);
      files.push(output);
    }
    return files;
  };
  return {
    watch(page) {
      if ([main, ...others].some(({ kind }) => kind === 'har')) log = new NetworkLog(page, main.request);
    },
    async before(page, deadline) {
      bounds = { bytes: bytesAtMost, pixels: pixelsAtMost };
      emulation = emulationFor(main);
      [held, reading] = [page, null];
      // An animation of a held page would not end.
      if (hasActed(main.request)) await settleMotion(page, deadline);
      await holdPage(page, deadline);
      const files = await drawAll(page, before, deadline);
      await switchTo(page, emulation, emulationFor(main), deadline);
      emulation = emulationFor(main);
      return files;
    },
    meanwhile(page, deadline) {
      // A failed try may have held another page.
      if (page === held) startReading(page, deadline);
    },
    async after(page, deadline) {
      const files = await startReading(page, deadline);
      if (main.kind === 'pdf') emulation = afterPrinting(emulation);
      return [...files, ...(await drawAll(page, after, deadline))];
    },
    release: releasePage,
  };
}

function emulationFor({ kind, request }: Drawn): Emulation {
  return emulationOf(request, kind === 'pdf' ? 'print' : 'screen');
}

/** Printing may leave the page in the medium and size of the sheet. */
function afterPrinting(emulation: Emulation): Emulation {
  return { ...emulation, screen: null, media: null };
}

/** Orders outputs: first reading, then drawing the page as it stands, then changing it. A card replaces the page. */
function rankOf({ kind, request }: Drawn): number {
  switch (kind) {
    case 'screenshot':
      return isGrownScreenshot(request as unknown as Parameters<typeof isGrownScreenshot>[0]) ? 3 : 1;
    case 'og_image':
      return (request as { template?: string }).template === 'card' ? 7 : 2;
    case 'pdf':
      return (request as { single_page?: boolean }).single_page ? 5 : 4;
    case 'har':
      return 6;
    default:
      return 0;
  }
}

function draw(page: CapturePage, each: Drawn, log: NetworkLog | null, deadline: Deadline): Promise<RenderedFile> {
  const { renderer, request } = each;
  if (renderer) return renderer.draw(page, request, deadline);
  const { document } = page.activity;
  const url = document?.url ?? request.url;
  const { width, height } = request;
  const text = log?.write({ url, title: '' }, { version: platformVersion }) ?? '';
  return Promise.resolve(textFile('har', text, { width, height }));
}

/** Adds the name of the output to the error. */
async function naming<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CaptureFailure) || error.code === 'CAPTURE_TIMEOUT') throw error;
    throw new CaptureFailure(error.code, `The output ${name} failed: ${error.message}`, { cause: error.cause });
  }
}

function check({ format, bytes, width, height }: RenderedFile, bounds: { bytes: number; pixels: number }): void {
  bounds.bytes -= bytes.length;
  if (['png', 'jpeg', 'webp'].includes(format)) bounds.pixels -= width * height;
  if (bounds.bytes >= 0 && bounds.pixels >= 0) return;
  const limits = '200 million pixels and 192 MB';
  throw new CaptureFailure('PAGE_TOO_LARGE', `All outputs together would be too large: the limit is ${limits}.`);
}
