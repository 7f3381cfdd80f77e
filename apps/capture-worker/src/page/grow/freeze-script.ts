/// <reference lib="dom" />
import { composeScript } from '../../compose-script.ts';
import { freezeRules, type RuleFreezing } from './freeze-rules.ts';
import type { FreezeInput, Frozen, FrozenWorld } from './frozen.ts';
import { type PlaceMemory, rememberPlaces } from './remember-places.ts';
import { type PseudoMemory, rememberPseudos } from './remember-pseudos.ts';
import { type WindowLengths, windowLengths } from './window-lengths.ts';

/**
 * Fixes what depends on the height of the viewport: lengths such as `100vh`, media queries for height and orientation,
 * `height: 100%` of the root. Records what the next step has to put back. Returns the URLs of style sheets that scripts may
 * not read; see `freezeForeignSheets`.
 */
export const freezePage = composeScript<FreezeInput>()
  .part('lengths', windowLengths)
  .part('frozen', emptyFrozen)
  .part('rules', freezeRules)
  .part('places', rememberPlaces)
  .part('pseudos', rememberPseudos)
  .main(freezeAll);

async function freezeAll({
  input: { elements, imagesWithinMs },
  lengths: { fixedMedia },
  frozen,
  rules: { unreadable, freezeSheet, freezeStyle },
  places: { rememberPlace, rememberShape, readBackdrops },
  pseudos: { rememberPseudo },
}: {
  input: FreezeInput;
  lengths: WindowLengths;
  frozen: Frozen;
  rules: RuleFreezing;
  places: PlaceMemory;
  pseudos: PseudoMemory;
}): Promise<string[]> {
  const world = globalThis as FrozenWorld;
  if (world.captureFrozen) return [];
  world.captureFrozen = frozen;
  const all: Element[] = [];
  collect(document);
  freezeRoots();
  for (const element of all) {
    try {
      if (element instanceof HTMLElement || element instanceof SVGElement) freezeLengths(element);
      if (element instanceof HTMLSourceElement) freezeSource(element);
      if (element instanceof HTMLElement) rememberPlace(element);
      if (element instanceof HTMLElement) rememberPseudo(element);
      if (element instanceof HTMLCanvasElement) rememberShape(element);
    } catch {
      // Controls of a form hide its own properties: such a form is not frozen.
    }
  }
  await Promise.race([readBackdrops(), new Promise((resolve) => setTimeout(resolve, imagesWithinMs))]);
  return unreadable;

  /** Freezes the sheets of a document and of its shadow roots, and lists their elements. */
  function collect(root: Document | ShadowRoot): void {
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) freezeSheet(sheet);
    const select = (root instanceof ShadowRoot ? DocumentFragment : Document).prototype.querySelectorAll;
    for (const element of select.call(root, '*')) {
      if (all.length >= elements) return;
      all.push(element);
      if (element.shadowRoot) collect(element.shadowRoot);
    }
  }

  function freezeRoots(): void {
    const html = document.documentElement;
    for (const [root, name] of [html, document.body].flatMap((each) =>
      ['height', 'min-height'].map((name) => [each, name] as const),
    )) {
      const depends = root === html ? /%|fill-available|stretch/ : /fill-available|stretch/;
      if (!root || !depends.test(String(root.computedStyleMap().get(name)))) continue;
      const style = frozen.styleOf(root);
      const before = style.cssText;
      style.setProperty(name, `${frozen.height}px`, 'important');
      frozen.undo.push(() => {
        style.cssText = before;
      });
    }
  }

  /** Not undone: paper gets the image that was chosen for the screen. */
  function freezeSource(source: HTMLSourceElement): void {
    const after = fixedMedia(source.media);
    if (after !== source.media) source.media = after;
  }

  function freezeLengths(element: HTMLElement | SVGElement): void {
    const inline = frozen.styleOf(element);
    if (inline.length > 0) {
      const text = inline.cssText;
      freezeStyle(inline);
      if (/px/.test(text)) frozen.inline.push({ element, text: inline.cssText });
    }
  }
}

/** What is known before anything was examined. */
function emptyFrozen({ lengths: { fixed, fixedMedia } }: { lengths: WindowLengths }): Frozen {
  return {
    height: window.innerHeight,
    styleOf(element) {
      const { prototype } = [SVGElement, MathMLElement].find((each) => element instanceof each) ?? HTMLElement;
      return Reflect.get(prototype, 'style', element);
    },
    undo: [],
    placed: [],
    windows: [],
    backdrops: new Map(),
    pseudos: [],
    sheets: new Map(),
    ratios: new Map(),
    inline: [],
    canvases: [],
    hasTriggers: false,
    scenes: new Map(),
    photos: new Set(),
    copied: [],
    fixed,
    fixedMedia,
  };
}

/**
 * Does for the text of a style sheet what `freezePage` does for a sheet that can be read. The rest of the text stays as it is:
 * what a parser makes of a sheet cannot always be written down again.
 */
export function freezeText({ text }: { text: string }): string {
  const { captureFrozen: frozen } = globalThis as FrozenWorld;
  if (!frozen) return text;
  // Up to the end of a declaration, or the start of a block; comments, strings and URLs may contain either.
  const part =
    /(?:\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|url\([^)"']*\)|\\[\s\S]|[^;{}])*[;{}]?/gy;
  return text.replace(part, (all) => {
    if (!all.endsWith('{')) return /^\s*@/.test(all) ? all : frozen.fixed(all);
    return all.replace(
      /(@media\b)([^{]*)/i,
      (_, at: string, query: string) => `${at} ${frozen.fixedMedia(query.trim())} `,
    );
  });
}

/** Gives style rules their own lengths back, for printing: paper has a height of its own. */
export function unfreezeRules(): void {
  const { captureFrozen: frozen } = globalThis as FrozenWorld;
  for (const undo of frozen?.undo.reverse() ?? []) undo();
  if (frozen) frozen.undo = [];
}
