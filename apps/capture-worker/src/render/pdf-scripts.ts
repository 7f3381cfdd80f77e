/// <reference lib="dom" />
/** Functions that `runInPage` runs in pages printed on a single sheet. */

/** Removes page breaks and the page's own margins: the request decides about the sheet. */
export function removeBreaks(margins: { top: number; right: number; bottom: number; left: number }): void {
  const { top, right, bottom, left } = margins;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    @page { size: auto !important; margin: ${top}px ${right}px ${bottom}px ${left}px !important }
    * { break-before: auto !important; break-after: auto !important; page: auto !important }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * Records the lengths of elements that may depend on the viewport's height, for `keepViewportLengths`.
 *
 * @param elementsAtMost how many elements are checked; those that depend on it are near the root of the document.
 */
export function recordViewportLengths(elementsAtMost: number): void {
  const names = ['height', 'min-height', 'max-height', 'flex-basis', 'padding-top', 'padding-bottom'];
  names.push('margin-top', 'margin-bottom', 'row-gap', 'font-size', 'width', 'min-width', 'max-width');
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => (each.shadowRoot ? [each, ...all(each.shadowRoot)] : [each]));
  const read = (element: Element) => {
    // Computed values, not used values: `auto` and percentages stay as they are, and only `vh` becomes pixels.
    const style = element.computedStyleMap();
    return names.map((name) => String(style.get(name) ?? ''));
  };
  const recorded = all(document)
    .slice(0, elementsAtMost)
    .map((element) => ({ element, before: read(element) }));
  const ours = globalThis as { captureKeepLengths?: () => void };
  ours.captureKeepLengths = () => {
    const changed = recorded.map(({ element, before }) => ({ element, before, now: read(element) }));
    for (const { element, before, now } of changed) {
      if (!(element instanceof HTMLElement || element instanceof SVGElement)) continue;
      for (const [index, value] of now.entries()) {
        const name = names[index];
        if (name && value !== before[index]) element.style.setProperty(name, value, 'important');
      }
    }
  };
}

/** Fixes the current lengths of all elements that changed with the viewport's height. */
export function keepViewportLengths(): void {
  (globalThis as { captureKeepLengths?: () => void }).captureKeepLengths?.();
}

/** Size of the page's content in CSS pixels. */
export function contentSize(): { width: number; height: number } {
  const { documentElement: root, body } = document;
  const { scrollWidth: width, scrollHeight } = root;
  if (scrollHeight > window.innerHeight || !body) return { width, height: Math.max(1, scrollHeight) };
  // If the content is shorter than the viewport, `scrollHeight` is the viewport's; in quirks mode the body's is too.
  const content = document.createRange();
  content.selectNodeContents(body);
  const bottom = content.getBoundingClientRect().bottom + Number.parseFloat(getComputedStyle(body).marginBottom);
  const isQuirky = document.compatMode === 'BackCompat';
  const height = isQuirky ? bottom : Math.max(root.getBoundingClientRect().bottom, bottom);
  return { width, height: Math.max(1, Math.ceil(height)) };
}
