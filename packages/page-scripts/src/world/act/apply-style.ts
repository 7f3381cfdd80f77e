import { state } from '../state/page-state.ts';

interface ClientStyle {
  css: string;
  hide: readonly string[];
  remove: readonly string[];
}

/**
 * Applies the client's style sheet and hides and removes elements. May be called again for elements added since.
 *
 * @throws {Error} that names the field with the invalid selector.
 */
export function applyStyle(style: ClientStyle): void {
  style.hide.forEach(checkSelector('hide_selectors'));
  style.remove.forEach(checkSelector('remove_selectors'));
  adoptSheet(style);
  // The elements are only hidden, because the page's scripts may still use them.
  setInline(style.hide, 'visibility', 'hidden');
  setInline(style.remove, 'display', 'none');
}

function checkSelector(field: string) {
  return (selector: string, index: number) => {
    try {
      document.createDocumentFragment().querySelector(selector);
    } catch {
      throw new Error(`${field}.${index} is not a CSS selector`);
    }
  };
}

/** Adopts a sheet, because the page's security policy does not apply to adopted sheets. They cannot import other sheets. */
function adoptSheet({ css, hide, remove }: ClientStyle): void {
  if (!state.clientSheet) {
    state.clientSheet = new CSSStyleSheet();
    const text = [rules(hide, 'visibility: hidden'), rules(remove, 'display: none')].join('\n');
    const imports = /@import/i.test(css);
    if (imports) (document.head ?? document.documentElement).append(sheetElement(css));
    state.clientSheet.replaceSync(imports ? text : `${css}\n${text}`);
  }
  if (document.adoptedStyleSheets.includes(state.clientSheet)) return;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, state.clientSheet];
}

/** One rule per selector: in a shared rule, a selector that the browser does not know would disable the others. */
function rules(selectors: readonly string[], declaration: string): string {
  return selectors.map((selector) => `${selector} { ${declaration} !important }`).join('\n');
}

function sheetElement(css: string): HTMLStyleElement {
  const element = document.createElement('style');
  element.textContent = css;
  return element;
}

function setInline(selectors: readonly string[], name: string, value: string): void {
  for (const selector of selectors) {
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      element.style?.setProperty(name, value, 'important');
    }
  }
}
