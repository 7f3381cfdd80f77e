import type { CaptureType } from '@capture/contract/events/events';
import type { FilledRequest } from '@capture/contract/options/capture-options';
import type { PageRequest } from '@capture/contract/options/fill-page';
import { type FilledOutput, grows, isGrownScreenshot, planVisits } from '@capture/contract/options/outputs';
import { contentRenderer } from '../render/content/content.ts';
import type { Renderer } from '../render/renderer.ts';
import type { Renderers } from '../render/renderers.ts';
import { accessibilityRenderer, htmlRenderer, mhtmlRenderer } from './document-files.ts';
import { type Drawn, furtherOutputs } from './further-outputs.ts';

/** One visit to the page: the request to load, and the renderer that draws. */
export interface Visit {
  request: PageRequest;
  renderer: Renderer<PageRequest>;
  /** The output that `renderer.draw` draws; null for the capture's own file. */
  main: Omit<Drawn, 'renderer' | 'request'> | null;
}

type Request = PageRequest & FilledRequest & { outputs?: FilledOutput[] | undefined };

/** Returns the visits that a capture needs. The first visit is for its own file, and the only visit without `outputs`. */
export function visitsOf(renderers: Renderers, type: CaptureType, request: PageRequest): Visit[] {
  const renderer = renderers[type];
  if (!renderer) throw new Error(`there is no renderer for the type ${type}`);
  const { outputs } = request as Request;
  if (!outputs) return [{ request, renderer, main: null }];
  const own: Drawn = { index: -1, name: '', kind: kindOf(type, request), request, renderer };
  const drawn = outputs.map((output, index) => drawnOf(renderers, request, output, index));
  const of = { ...request, ownName: '', media: undefined, grows: growsItself(type, request) };
  return planVisits(of, outputs).map((indexes, visit) => {
    const all = indexes.map((index) => drawn[index]).filter((each) => each !== undefined);
    // The output that needs the visit most is drawn first.
    const main = visit === 0 ? own : (all.find(({ index }) => grows(outputs[index] as FilledOutput)) ?? all[0]);
    if (!main?.renderer) throw new Error('a visit without an output that draws it');
    const others = all.filter((each) => each !== main);
    const further = furtherOutputs(main, others);
    const prints = [main, ...others].some(({ kind }) => kind === 'pdf');
    return {
      request: { ...main.request, ...(main !== own && { scroll: request.scroll }) },
      renderer: { ...main.renderer, prints, check: checkAll([main, ...others]), further },
      main: main === own ? null : { index: main.index, name: main.name, kind: main.kind },
    };
  });
}

function kindOf(type: CaptureType, request: PageRequest): Drawn['kind'] {
  return type === 'content' ? (request as unknown as { format: Drawn['kind'] }).format : type;
}

function growsItself(type: CaptureType, request: PageRequest): boolean {
  return (
    type === 'pdf' ||
    (type === 'screenshot' && isGrownScreenshot(request as unknown as Parameters<typeof isGrownScreenshot>[0]))
  );
}

/** Returns an output with the request for its renderer: the capture's page, and the output's own options. */
function drawnOf(renderers: Renderers, base: PageRequest, output: FilledOutput, index: number): Drawn {
  const { kind, name, ...options } = output;
  const { extract: _extract, ...page } = base as PageRequest & { extract?: unknown };
  return { index, name, kind, request: { ...page, ...options }, renderer: findRenderer(renderers, output) };
}

function findRenderer(renderers: Renderers, output: FilledOutput): Renderer<PageRequest> | null {
  switch (output.kind) {
    case 'screenshot':
    case 'pdf':
    case 'og_image':
      return renderers[output.kind];
    case 'mhtml':
      return mhtmlRenderer;
    case 'accessibility':
      return accessibilityRenderer;
    case 'har':
      return null;
    case 'html': {
      const { only_main_content: main, include_selectors: include, exclude_selectors: exclude } = output;
      return main || include.length > 0 || exclude.length > 0 ? (contentRenderer as Renderer<never>) : htmlRenderer;
    }
    default:
      return contentRenderer as Renderer<never>;
  }
}

function checkAll(all: readonly Drawn[]): (request: PageRequest) => void {
  return () => {
    for (const { renderer, request } of all) renderer?.check?.(request);
  };
}
