/// <reference lib="dom" />
/**
 * What runs in pages to clean them (`runInPage`): each function is sent as text, so it sees nothing of what is around it
 * here, and it takes and gives JSON.
 */

/** The classes, ids and links of a page: what general rules are looked up by. */
export interface PageNames {
  classes: string[];
  ids: string[];
  hrefs: string[];
}

/** @param limits how many names of each kind are given, and how long each may be. */
export function collectNames(limits: { names: number; length: number }): PageNames {
  const classes = new Set<string>();
  const ids = new Set<string>();
  const hrefs = new Set<string>();
  const add = (names: Set<string>, name: string | null | undefined) => {
    if (name && name.length <= limits.length && names.size < limits.names) names.add(name);
  };
  // Not `document.querySelectorAll` or `form.getAttribute`: a page's own elements can bear those names.
  const attribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name);
  for (const element of Document.prototype.querySelectorAll.call(document, '[id], [class], a[href]')) {
    add(ids, attribute(element, 'id'));
    for (const name of attribute(element, 'class')?.split(/\s+/) ?? []) add(classes, name);
    if (element instanceof HTMLAnchorElement) add(hrefs, attribute(element, 'href'));
  }
  return { classes: [...classes], ids: [...ids], hrefs: [...hrefs] };
}

/**
 * Applies style rules, and takes away the frames and images of these URLs.
 *
 * @returns how many elements the page no longer shows for it, those within them not counted.
 */
export function hideElements(hidden: { styles: string; blockedUrls: string[] }): number {
  // As above: not by way of names that a page's own elements can bear.
  const all = (selector: string) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const isShown = (element: Element | null) => element !== null && Element.prototype.checkVisibility.call(element);
  // To count is not worth the time that it takes in a page without end.
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
    // One selector that this browser does not know takes all that stand beside it with it.
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
    // Over whatever the page's own styles say.
    if (urls.some((url) => blocked.has(url)))
      (element as HTMLElement).style.setProperty('display', 'none', 'important');
  }
  return shown.filter((element) => !isShown(element) && isShown(element.parentElement)).length;
}

/**
 * Whether something lies over the page that speaks of cookies, or is a frame that may: without it there is no banner that
 * is worth a second look.
 */
export function showsConsent(): boolean {
  const words = /cookie|consent|gdpr|ccpa|privacy|datenschutz|クッキー|кук[иі]|çerez/i;
  return [...document.querySelectorAll<HTMLElement>('body *')].some((element) => {
    const { position, display } = getComputedStyle(element);
    if (
      display === 'none' ||
      !(['fixed', 'sticky'].includes(position) || element.matches('dialog, [role*="dialog"]'))
    ) {
      return false;
    }
    return element.matches('iframe, :has(iframe)') || words.test(element.textContent ?? '');
  });
}

/**
 * Resolves when what fades or slides has come to its end.
 *
 * @param atMostMs then it is left at that, milliseconds.
 */
export async function untilStill(atMostMs: number): Promise<void> {
  const moving = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  const still = Promise.allSettled(moving.map(({ finished }) => finished));
  await Promise.race([still, new Promise((resolve) => setTimeout(resolve, atMostMs))]);
}

/**
 * Stands between the consent script and us: what the script tells is kept until it is asked for, so that nothing of it is
 * to be seen from the page, and what we say is given to it.
 */
export function prepareConsentWorld(): void {
  type Told = { messages: unknown[]; wake: () => void; next?: Promise<unknown[]> };
  const told: Told = { messages: [], wake: () => undefined };
  const world = globalThis as typeof globalThis & {
    autoconsentSendMessage?: (message: unknown) => Promise<void>;
    nextConsentMessages?: () => Promise<unknown[]>;
  };
  world.autoconsentSendMessage = (message) => {
    // As it is now: the script goes on to change what it has told of.
    told.messages.push(JSON.parse(JSON.stringify(message)));
    told.wake();
    return Promise.resolve();
  };
  world.nextConsentMessages = () => {
    const next = async () => {
      if (told.messages.length === 0) {
        await new Promise<void>((resolve) => {
          told.wake = resolve;
        });
      }
      return told.messages.splice(0, 100);
    };
    // Held on to: who waits for it is outside, and does not keep it from being collected.
    told.next = next();
    return told.next;
  };
}
