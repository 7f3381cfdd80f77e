import { state } from '../state/page-state.ts';
import type { Pseudo, Root } from '../state/tall-page.ts';
import { backdropOf, readRatios } from './backdrops.ts';
import { holderOf } from './holders.ts';
import { isCoveredBelow } from './layers.ts';
import { tilesOf } from './tiles.ts';
import { forEachHtmlElement } from './visitor-window.ts';

/** The attribute by which the script's rules find the elements. */
const mark = 'data-capture-pseudo';

/** Records backgrounds that pseudo-elements show behind the page. */
export async function recordPseudos(): Promise<void> {
  if (!state.visitor || state.pseudos) return;
  const all: Pseudo[] = [];
  state.pseudos = { all, sheets: new Map() };
  forEachHtmlElement((element) => {
    for (const name of ['::before', '::after'] as const) {
      const pseudo = backgroundIn(element, name);
      if (pseudo) all.push(pseudo);
    }
  });
  await readRatios(all.map(({ backdrop }) => backdrop));
}

function backgroundIn(element: HTMLElement, name: Pseudo['name']): Pseudo | null {
  const style = getComputedStyle(element, name);
  if (style.position !== 'fixed' || !isBackground(style)) return null;
  const held = holderOf(element);
  if (held && !held.cuts) return null;
  const [width, height] = [Number.parseFloat(style.width), Number.parseFloat(style.height)];
  return { element, name, top: style.top, width, height, backdrop: backdropOf(style), through: held?.holder ?? null };
}

/** Whether a pseudo-element fills the window and shows no text behind the page; a grain or a curtain is in front of the page. */
function isBackground(style: CSSStyleDeclaration): boolean {
  const [top = 0, width = 0, height = 0] = [style.top, style.width, style.height].map(Number.parseFloat);
  const fills = Math.abs(top) < 2 && width >= window.innerWidth * 0.95 && height >= window.innerHeight * 0.95;
  if (!fills || !/^"\s*"$/.test(style.content) || Number(style.zIndex) > 0) return false;
  return style.backgroundImage !== 'none' || !/, 0\)$|^transparent$/.test(style.backgroundColor);
}

/** Does for backgrounds in pseudo-elements the same as other steps do for backgrounds in elements. */
export function applyPseudos(): void {
  const rules = new Map<Root, string[]>();
  for (const [index, pseudo] of (state.pseudos?.all ?? []).entries()) {
    const { element, name } = pseudo;
    const root = element.getRootNode();
    if (!(root instanceof Document || root instanceof ShadowRoot) || !element.isConnected) continue;
    const style = getComputedStyle(element, name);
    if (style.position !== 'fixed') continue;
    const number = element.getAttribute(mark) ?? String(index);
    element.setAttribute(mark, number);
    const styles = Object.entries({ transition: 'none', ...stylesOf(pseudo, style) }).map(
      ([key, value]) => `${key}: ${value} !important`,
    );
    // Pseudo-elements have no inline style: this selector is stronger than selectors of the page.
    const rule = `[${mark}="${number}"]:not(#a#a#a)${name} { ${styles.join('; ')} }`;
    rules.set(root, [...(rules.get(root) ?? []), rule]);
  }
  for (const [root, texts] of rules) sheetOf(root).replaceSync(texts.join('\n'));
}

function stylesOf(
  { element, top, width, height, backdrop, through }: Pseudo,
  { transform }: CSSStyleDeclaration,
): Record<string, string> {
  const kept = { bottom: 'auto', height: `${height}px`, 'min-height': '0' };
  if (through) {
    const { top: start, height: opening } = through.getBoundingClientRect();
    // Scripts that move the pseudo-element know its place.
    return transform === 'none' ? { top: `${start + (opening - height) / 2}px`, ...kept } : {};
  }
  if (isCoveredBelow(element, true)) return { top, ...kept };
  return {
    top: '0px',
    bottom: 'auto',
    height: '100%',
    'min-height': '0',
    'max-height': 'none',
    ...tilesOf(backdrop, { width, height }, state.ratios ?? new Map()),
  };
}

function sheetOf(root: Root): CSSStyleSheet {
  const sheet = state.pseudos?.sheets.get(root) ?? new CSSStyleSheet();
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  state.pseudos?.sheets.set(root, sheet);
  return sheet;
}

/** Removes the added rules and the marks of their elements. */
export function undoPseudos(): void {
  const { pseudos } = state;
  if (!pseudos) return;
  for (const [root, sheet] of pseudos.sheets) {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
  }
  for (const { element } of pseudos.all) element.removeAttribute(mark);
  state.pseudos = { all: [], sheets: new Map() };
}
