/// <reference lib="dom" />
/** What runs in pages that become one sheet (`runInPage`). */

/** Takes away what makes a new page, and the page's own margins: the sheet is what the client asked for. */
export function noBreaks(margins: { top: number; right: number; bottom: number; left: number }): void {
  const { top, right, bottom, left } = margins;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    @page { size: auto !important; margin: ${top}px ${right}px ${bottom}px ${left}px !important }
    * { break-before: auto !important; break-after: auto !important; page: auto !important }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * Notes the lengths of elements that may hang on the height of the viewport, for `keepViewportLengths`.
 *
 * @param elementsAtMost how many are looked at; those that hang on it stand near the top of a document's tree.
 */
export function noteViewportLengths(elementsAtMost: number): void {
  const names = ['height', 'min-height', 'max-height', 'flex-basis', 'padding-top', 'padding-bottom'];
  names.push('margin-top', 'margin-bottom', 'row-gap', 'font-size', 'width', 'min-width', 'max-width');
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => (each.shadowRoot ? [each, ...all(each.shadowRoot)] : [each]));
  const read = (element: Element) => {
    // Computed, not used: `auto` stays `auto`, a percentage a percentage, and only `vh` is pixels.
    const style = element.computedStyleMap();
    return names.map((name) => String(style.get(name) ?? ''));
  };
  const noted = all(document)
    .slice(0, elementsAtMost)
    .map((element) => ({ element, before: read(element) }));
  const ours = globalThis as { captureKeepLengths?: () => void };
  ours.captureKeepLengths = () => {
    const changed = noted.map(({ element, before }) => ({ element, before, now: read(element) }));
    for (const { element, before, now } of changed) {
      if (!(element instanceof HTMLElement || element instanceof SVGElement)) continue;
      for (const [index, value] of now.entries()) {
        const name = names[index];
        if (name && value !== before[index]) element.style.setProperty(name, value, 'important');
      }
    }
  };
}

/** Gives what changed with the height of the viewport the lengths that it has now, for good. */
export function keepViewportLengths(): void {
  (globalThis as { captureKeepLengths?: () => void }).captureKeepLengths?.();
}

/** Of all that is on the page, CSS pixels. */
export function contentSize(): { width: number; height: number } {
  const { documentElement: root, body } = document;
  const { scrollWidth: width, scrollHeight } = root;
  if (scrollHeight > window.innerHeight || !body) return { width, height: Math.max(1, scrollHeight) };
  // Where the content is shorter than the viewport, `scrollHeight` is that of the viewport; in quirks mode so is the body.
  const content = document.createRange();
  content.selectNodeContents(body);
  const bottom = content.getBoundingClientRect().bottom + Number.parseFloat(getComputedStyle(body).marginBottom);
  const isQuirky = document.compatMode === 'BackCompat';
  const height = isQuirky ? bottom : Math.max(root.getBoundingClientRect().bottom, bottom);
  return { width, height: Math.max(1, Math.ceil(height)) };
}
