/// <reference lib="dom" />
/**
 * Functions that `runInPage` runs to clean pages. Each is sent as text, so it cannot use anything outside itself, and its
 * input and output are JSON.
 */

/** The classes, ids and links of a page, by which generic rules are looked up. */
export interface PageNames {
  classes: string[];
  ids: string[];
  hrefs: string[];
}

/** @param limits the maximum number of names of each kind, and the maximum length of a name. */
export function collectNames(limits: { names: number; length: number }): PageNames {
  const classes = new Set<string>();
  const ids = new Set<string>();
  const hrefs = new Set<string>();
  const add = (names: Set<string>, name: string | null | undefined) => {
    if (name && name.length <= limits.length && names.size < limits.names) names.add(name);
  };
  // Not `document.querySelectorAll` or `form.getAttribute`: a page's elements can shadow them by their names.
  const attribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name);
  for (const element of Document.prototype.querySelectorAll.call(document, '[id], [class], a[href]')) {
    add(ids, attribute(element, 'id'));
    for (const name of attribute(element, 'class')?.split(/\s+/) ?? []) add(classes, name);
    if (element instanceof HTMLAnchorElement) add(hrefs, attribute(element, 'href'));
  }
  return { classes: [...classes], ids: [...ids], hrefs: [...hrefs] };
}

/** Elements that were hidden, not counting their descendants. */
export interface HiddenElements {
  count: number;
  /** Tag, id and classes of the first ten, like selectors. */
  names: string[];
}

/**
 * Applies style rules, and hides the frames and images with these URLs.
 */
export function hideElements(hidden: { styles: string; blockedUrls: string[] }): HiddenElements {
  // Through the prototypes, as above.
  const all = (selector: string) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const isShown = (element: Element | null) => element !== null && Element.prototype.checkVisibility.call(element);
  // Counting all elements of an endless page would take too long.
  const shown = all('body *').slice(0, 10_000).filter(isShown);

  const sheet = new CSSStyleSheet();
  const add = (rule: string) => {
    try {
      sheet.insertRule(rule, sheet.cssRules.length);
      return true;
    } catch {
      return false;
    }
  };
  for (const [rule, selectors = '', style] of hidden.styles.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    // A selector that the browser does not know invalidates the whole rule, so add the selectors one by one.
    if (!add(rule)) for (const selector of selectors.split(',\n')) add(`${selector} {${style}}`);
  }
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const blocked = new Set(hidden.blockedUrls);
  for (const element of all('iframe, frame, img, embed, object, video')) {
    const urls = [
      (element as HTMLImageElement).currentSrc,
      (element as HTMLImageElement).src,
      (element as HTMLObjectElement).data,
    ];
    // `!important` overrides the page's own styles.
    if (urls.some((url) => blocked.has(url)))
      (element as HTMLElement).style.setProperty('display', 'none', 'important');
  }
  const gone = shown.filter((element) => !isShown(element) && isShown(element.parentElement));
  const nameOf = (element: Element) => {
    const attribute = (name: string) => Element.prototype.getAttribute.call(element, name) ?? '';
    const names = [
      `#${attribute('id')}`,
      ...attribute('class')
        .split(/\s+/)
        .map((name) => `.${name}`),
    ];
    return (
      element.tagName.toLowerCase() +
      names
        .filter((name) => /^[#.][\w-]{1,30}$/.test(name))
        .slice(0, 2)
        .join('')
    );
  };
  return { count: gone.length, names: gone.slice(0, 10).map(nameOf) };
}

/**
 * Waits until finite animations have ended.
 *
 * @param limitMs limit in milliseconds.
 */
export async function waitForAnimations(limitMs: number): Promise<void> {
  const animations = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  const finished = Promise.allSettled(animations.map((animation) => animation.finished));
  await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, limitMs))]);
}

/**
 * Prepares the world of the consent script: its messages are queued until `nextConsentMessages` fetches them, so that the
 * page sees none of them.
 */
export function prepareConsentWorld(): void {
  type Queue = { messages: unknown[]; wake: () => void; next?: Promise<unknown[]> };
  const queue: Queue = { messages: [], wake: () => undefined };
  const world = globalThis as typeof globalThis & {
    autoconsentSendMessage?: (message: unknown) => Promise<void>;
    nextConsentMessages?: () => Promise<unknown[]>;
  };
  world.autoconsentSendMessage = (message) => {
    // Copied, because the script changes its messages after sending them.
    queue.messages.push(JSON.parse(JSON.stringify(message)));
    queue.wake();
    return Promise.resolve();
  };
  world.nextConsentMessages = () => {
    const next = async () => {
      if (queue.messages.length === 0) {
        await new Promise<void>((resolve) => {
          queue.wake = resolve;
        });
      }
      return queue.messages.splice(0, 100);
    };
    // Referenced here, because a pending evaluation alone does not keep the promise from garbage collection.
    queue.next = next();
    return queue.next;
  };
}
