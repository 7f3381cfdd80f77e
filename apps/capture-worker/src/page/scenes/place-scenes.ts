/// <reference lib="dom" />
import type { SceneWorld } from './scenes.ts';

/** Gives elements the look that `watchScenes` remembers, where the grown window shows less of them, and texts and canvases their state. */
export function placeScenes(): void {
  const { captureScenes: scenes } = globalThis as SceneWorld;
  if (!scenes) return;
  const isShown = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const shown = [...scenes.scrolled]
    .filter((element) => !scenes.looks.has(element as HTMLElement) && element.isConnected && isShown(element))
    .map((element) => ({ element, rect: element.getBoundingClientRect() }));
  const held = new Map<Element, Record<string, string>>();
  for (const [element, { distance, styles }] of scenes.looks) {
    if (!element.isConnected || distance > scenes.distanceOf(element) - 0.02) continue;
    const { style } = element;
    const before = style.cssText;
    const wasShown = Number(getComputedStyle(element).opacity) > 0.1;
    for (const [name, value] of Object.entries(styles)) style.setProperty(name, value, 'important');
    if (!isShown(element)) {
      held.set(element, styles);
      continue;
    }
    // Texts that take turns in one place: the one that is there already, or the first.
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
  holdLooks();

  for (const [element, { width, height }] of scenes.sized) {
    if (!element.isConnected) continue;
    const { style, offsetWidth, offsetHeight } = element;
    if (width <= offsetWidth && height <= offsetHeight) continue;
    // Its script may set another size at any time.
    style.setProperty('min-width', `${width}px`, 'important');
    style.setProperty('min-height', `${height}px`, 'important');
  }
  for (const [element, text] of scenes.texts) hold(element, text);
  for (const [canvas, { copy }] of scenes.canvases) {
    // Its script may draw it again at any time.
    if (copy && canvas.isConnected) canvas.replaceWith(copy);
  }

  /** Scripts that run in every frame write inline styles again, but no style sheets. */
  function holdLooks(): void {
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

  /** Its script may write another text at any time. */
  function hold(element: Element, text: string): void {
    let left = 100;
    const observer = new MutationObserver(put);
    put();
    observer.observe(element, { childList: true, characterData: true, subtree: true });

    function put(): void {
      if (element.childElementCount > 0 || element.textContent === text) return;
      left -= 1;
      // Another one would put it back without end.
      if (left > 0) element.textContent = text;
      else observer.disconnect();
    }
  }

  /** By more than half of the smaller one. */
  function overlaps(one: DOMRect, other: DOMRect): boolean {
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    const least = Math.min(one.width * one.height, other.width * other.height);
    return width > 0 && height > 0 && width * height > least / 2;
  }
}
