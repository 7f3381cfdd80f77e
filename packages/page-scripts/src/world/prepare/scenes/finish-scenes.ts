import { isShown } from '../../dom/examined.ts';
import { overlap } from '../../dom/overlap.ts';
import { state } from '../../state/page-state.ts';
import type { Scenes } from '../../state/scenes.ts';
import { distanceOf } from './looks.ts';

/** How often to restore a text that its script writes again: a script could write without end. */
const writesAtMost = 100;

type HeldLooks = Map<Element, Record<string, string>>;

/** Gives elements their look from `watchScenes` where the grown window shows less of them, and restores texts and canvases. */
export function finishScenes(): void {
  const { scenes } = state;
  if (!scenes) return;
  holdLooks(chooseLooks(scenes));
  for (const [element, { width, height }] of scenes.sized) {
    if (!element.isConnected) continue;
    const { style, offsetWidth, offsetHeight } = element;
    if (width <= offsetWidth && height <= offsetHeight) continue;
    // Its script may set another size at any time.
    style.setProperty('min-width', `${width}px`, 'important');
    style.setProperty('min-height', `${height}px`, 'important');
  }
  for (const [element, text] of scenes.texts) holdText(element, text);
  for (const [canvas, { copy }] of scenes.canvases) {
    // Its script may draw the canvas again at any time.
    if (copy && canvas.isConnected) canvas.replaceWith(copy);
  }
}

function chooseLooks(scenes: Scenes): HeldLooks {
  const shown = [...scenes.scrolled]
    .filter((element) => !scenes.looks.has(element as HTMLElement) && element.isConnected && isShown(element))
    .map((element) => ({ element, rect: element.getBoundingClientRect() }));
  const held: HeldLooks = new Map();
  for (const [element, { distance, styles }] of scenes.looks) {
    if (!element.isConnected || distance > distanceOf(element) - 0.02) continue;
    const { style } = element;
    const before = style.cssText;
    const wasShown = Number(getComputedStyle(element).opacity) > 0.1;
    for (const [name, value] of Object.entries(styles)) style.setProperty(name, value, 'important');
    if (!isShown(element)) {
      held.set(element, styles);
      continue;
    }
    // Of texts that take turns in one place, the text that is already there stays, or the first.
    const rect = element.getBoundingClientRect();
    const isTaken = shown.some(
      (other) => !other.element.contains(element) && !element.contains(other.element) && overlaps(other.rect, rect),
    );
    if (isTaken && !wasShown) {
      style.cssText = before;
      continue;
    }
    held.set(element, styles);
    shown.push({ element, rect });
  }
  return held;
}

function overlaps(one: DOMRect, other: DOMRect): boolean {
  return overlap(one, other) > Math.min(one.width * one.height, other.width * other.height) / 2;
}

/** Holds looks by a style sheet, because scripts that run in every frame write inline styles again. */
function holdLooks(held: HeldLooks): void {
  const rules = new Map<Document | ShadowRoot, string[]>();
  for (const [at, [element, styles]] of [...held].entries()) {
    const root = element.getRootNode();
    if (!(root instanceof Document || root instanceof ShadowRoot)) continue;
    element.setAttribute('data-capture-scene', String(at));
    const text = Object.entries(styles).map(([name, value]) => `${name}: ${value} !important`);
    rules.set(root, [...(rules.get(root) ?? []), `[data-capture-scene='${at}'] { ${text.join('; ')} }`]);
  }
  for (const [root, texts] of rules) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(texts.join('\n'));
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }
}

/** Holds a text, because its script may write another text at any time. */
function holdText(element: Element, text: string): void {
  let left = writesAtMost;
  const observer = new MutationObserver(put);
  put();
  observer.observe(element, { childList: true, characterData: true, subtree: true });

  function put(): void {
    if (element.childElementCount > 0 || element.textContent === text) return;
    left -= 1;
    if (left > 0) element.textContent = text;
    else observer.disconnect();
  }
}
