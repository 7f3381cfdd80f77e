/// <reference lib="dom" />
import type { Frozen } from './frozen.ts';
import type { GrownWindow } from './grown-window.ts';
import type { Layers } from './layers.ts';
import type { Tiles } from './tiles.ts';

/** See `keepPseudos`. */
export type PseudoKeeping = ReturnType<typeof keepPseudos>;

/** Does for backgrounds in pseudo-elements what is done for those in elements. Part of `placeElements`. */
export function keepPseudos({
  view: { frozen },
  layers: { isCoveredBelow },
  tiles: { tilesOf },
}: {
  view: GrownWindow;
  layers: Layers;
  tiles: Tiles;
}) {
  const mark = 'data-capture-pseudo';
  return { placePseudos };

  function placePseudos(): void {
    if (!frozen || frozen.pseudos.length === 0) return;
    /** The rules of each document or shadow root. */
    const rules = new Map<Document | ShadowRoot, string[]>();
    for (const [index, each] of frozen.pseudos.entries()) {
      const { element, name } = each;
      const root = element.getRootNode();
      if (!(root instanceof Document || root instanceof ShadowRoot) || !element.isConnected) continue;
      const style = getComputedStyle(element, name);
      if (style.position !== 'fixed') continue;
      const number = element.getAttribute(mark) ?? String(index);
      if (!element.hasAttribute(mark)) {
        element.setAttribute(mark, number);
        frozen.undo.push(() => element.removeAttribute(mark));
      }
      const styles = Object.entries({ transition: 'none', ...stylesOf(each, style) }).map(
        ([key, value]) => `${key}: ${value} !important`,
      );
      // Pseudo-elements have no inline style: this selector is stronger than those of the page.
      const rule = `[${mark}="${number}"]:not(#a#a#a)${name} { ${styles.join('; ')} }`;
      rules.set(root, [...(rules.get(root) ?? []), rule]);
    }
    for (const [root, texts] of rules) sheetOf(root).replaceSync(texts.join('\n'));
  }

  function stylesOf(
    { element, top, width, height, backdrop, through }: Frozen['pseudos'][number],
    { transform }: CSSStyleDeclaration,
  ): Record<string, string> {
    if (through) {
      const { top: start, height: opening } = through.getBoundingClientRect();
      // Scripts that move it know its place.
      return transform === 'none'
        ? { top: `${start + (opening - height) / 2}px`, bottom: 'auto', height: `${height}px`, 'min-height': '0' }
        : {};
    }
    if (isCoveredBelow(element, true)) return { top, bottom: 'auto', height: `${height}px`, 'min-height': '0' };
    return {
      top: '0px',
      bottom: 'auto',
      height: '100%',
      'min-height': '0',
      'max-height': 'none',
      ...tilesOf(backdrop, { width, height }, frozen?.ratios ?? new Map()),
    };
  }

  function sheetOf(root: Document | ShadowRoot): CSSStyleSheet {
    const sheet = frozen?.sheets.get(root) ?? new CSSStyleSheet();
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    if (!frozen || frozen.sheets.has(root)) return sheet;
    frozen.sheets.set(root, sheet);
    frozen.undo.push(() => {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
      frozen.sheets.delete(root);
      frozen.pseudos = [];
    });
    return sheet;
  }
}
