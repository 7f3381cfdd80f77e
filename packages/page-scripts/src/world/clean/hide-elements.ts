import { attribute, inlineStyle, query } from '../dom/elements.ts';

/** Elements that were hidden, not counting their descendants. */
export interface HiddenElements {
  count: number;
  /** Tag, id and classes of the first ten, like selectors. */
  names: string[];
}

/** Counting all elements of an endless page would take too long. */
const countedAtMost = 10_000;

/** Applies style rules, and hides the frames and media with these URLs. */
export function hideElements({ styles, blockedUrls }: { styles: string; blockedUrls: string[] }): HiddenElements {
  const shown = query(document, 'body *').slice(0, countedAtMost).filter(isVisible);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheetOf(styles)];
  const blocked = new Set(blockedUrls);
  for (const element of query(document, 'iframe, frame, img, embed, object, video')) {
    // `!important` overrides the page's own styles.
    if (urlsOf(element).some((url) => blocked.has(url)))
      inlineStyle(element).setProperty('display', 'none', 'important');
  }
  const gone = shown.filter((element) => !isVisible(element) && isVisible(element.parentElement));
  return { count: gone.length, names: gone.slice(0, 10).map(nameOf) };
}

function isVisible(element: Element | null): boolean {
  return element !== null && Element.prototype.checkVisibility.call(element);
}

/** A selector that the browser does not know invalidates the whole rule, so such a rule is added selector by selector. */
function sheetOf(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  const add = (rule: string) => {
    try {
      sheet.insertRule(rule, sheet.cssRules.length);
      return true;
    } catch {
      return false;
    }
  };
  for (const [rule, selectors = '', style] of styles.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!add(rule)) for (const selector of selectors.split(',\n')) add(`${selector} {${style}}`);
  }
  return sheet;
}

function urlsOf(element: Element): string[] {
  const { currentSrc, src, data } = element as HTMLImageElement & HTMLObjectElement;
  return [currentSrc, src, data];
}

function nameOf(element: Element): string {
  const classes = attribute(element, 'class').split(/\s+/);
  const names = [`#${attribute(element, 'id')}`, ...classes.map((name) => `.${name}`)];
  const plain = names.filter((name) => /^[#.][\w-]{1,30}$/.test(name)).slice(0, 2);
  return element.tagName.toLowerCase() + plain.join('');
}
