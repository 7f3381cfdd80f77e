/** Removes page breaks and the page's own margins: the request decides about the sheet. */
export function removeBreaks(margins: { top: number; right: number; bottom: number; left: number }): void {
  const { top, right, bottom, left } = margins;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    @page { size: auto !important; margin: ${top}px ${right}px ${bottom}px ${left}px !important }
    * { break-before: auto !important; break-after: auto !important; page: auto !important }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Size of the page's content, and height of the window, CSS pixels. */
export function contentSize(): { width: number; height: number; windowHeight: number } {
  const { documentElement: root, body } = document;
  const { innerHeight: windowHeight } = window;
  const { scrollWidth: width, scrollHeight } = root;
  if (scrollHeight > windowHeight || !body) return { width, height: Math.max(1, scrollHeight), windowHeight };
  // If the content is shorter than the viewport, `scrollHeight` is the viewport's; in quirks mode the body's is too.
  const content = document.createRange();
  content.selectNodeContents(body);
  const bottom = content.getBoundingClientRect().bottom + Number.parseFloat(getComputedStyle(body).marginBottom);
  const isQuirky = document.compatMode === 'BackCompat';
  const height = isQuirky ? bottom : Math.max(root.getBoundingClientRect().bottom, bottom);
  return { width, height: Math.max(1, Math.ceil(height)), windowHeight };
}
