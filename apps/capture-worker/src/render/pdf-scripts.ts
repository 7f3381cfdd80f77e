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

/** Notes the lengths of every element that may hang on the height of the viewport, for `keepViewportLengths`. */
export function noteViewportLengths(): void {
  const names = ['height', 'min-height', 'max-height', 'flex-basis', 'padding-top', 'padding-bottom'];
  names.push('margin-top', 'margin-bottom', 'row-gap', 'font-size', 'width', 'min-width', 'max-width');
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => (each.shadowRoot ? [each, ...all(each.shadowRoot)] : [each]));
  const read = (element: Element) => {
    // Computed, not used: `auto` stays `auto`, a percentage a percentage, and only `vh` is pixels.
    const style = element.computedStyleMap();
    return names.map((name) => String(style.get(name) ?? ''));
  };
  const noted = all(document).map((element) => ({ element, before: read(element) }));
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
  // Where the content is shorter than the viewport, `scrollHeight` is that of the viewport.
  const bottoms = [root, ...(body?.children ?? [])].map((element) => element.getBoundingClientRect().bottom);
  const height = root.scrollHeight > window.innerHeight ? root.scrollHeight : Math.max(...bottoms.slice(0, 10_000));
  return { width: root.scrollWidth, height: Math.max(1, Math.ceil(height)) };
}
