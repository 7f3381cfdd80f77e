/// <reference lib="dom" />
import type { BannerBoxes } from './banner-boxes.ts';
import type { BannerRemoval } from './banner-removal.ts';
import type { BannerSearch } from './banner-search.ts';
import type { BannerSigns } from './banner-signs.ts';
import type { DomTools } from './dom-tools.ts';

/** What `bannerWatch` adds to its world. */
export interface BannerWorld {
  captureBanners?: {
    /** Whether a banner may be there, and whether it has nothing but an accept button. */
    hints(): { isLikely: boolean; isAcceptOnly: boolean };
    /** Hides the banners of the document, now and from now on. */
    hide(): string[];
    /** Resolves when more was hidden. */
    next(): Promise<string[]>;
    /** Whether the document, in a frame, is a banner. */
    isBanner(): boolean;
    /** Hides a frame of this document whose content is a banner. */
    hideFrame(frame: Element): string[];
    /** Ends the clicks of scripts in this world. */
    stopClicks(): void;
  };
}

/** Hides banners that come later, before they are drawn. Runs in the page, as text (see `bannerScript`). */
export function bannerWatch({
  dom,
  signs,
  boxes,
  search,
  removal,
}: {
  dom: DomTools;
  signs: BannerSigns;
  boxes: BannerBoxes;
  search: BannerSearch;
  removal: BannerRemoval;
}): void {
  /** A page that keeps showing its banner is left alone at some time. */
  const limits = { hidden: 50, looks: 2_000, everyMs: 100 };
  const queue: { names: string[]; wake: () => void; next?: Promise<string[]> } = { names: [], wake: () => undefined };
  let hidden = 0;
  let looks = 0;

  const hideIn = (root: Element): string[] => {
    if (hidden >= limits.hidden || looks >= limits.looks) return [];
    looks += 1;
    const names = removal.hide(search.find(root));
    hidden += names.length;
    return names;
  };
  const report = (names: string[]) => {
    if (names.length === 0) return;
    queue.names.push(...names);
    queue.wake();
  };

  /** The outermost elements that changed. Text that was added counts for the box that it is in. */
  const changed = new Set<Element>();
  const lookAtChanges = () => {
    const roots = [...changed].slice(0, 50);
    changed.clear();
    for (const root of roots) {
      observe(root);
      report(hideIn(root));
    }
  };
  let isWaiting = false;
  let lastLook = 0;
  const schedule = (isNew: boolean) => {
    const now = performance.now();
    // At once, so that it is never drawn; but scripts may change styles in every frame.
    if (isNew || now - lastLook > limits.everyMs) {
      lastLook = now;
      lookAtChanges();
    } else if (!isWaiting) {
      isWaiting = true;
      setTimeout(() => {
        isWaiting = false;
        lastLook = performance.now();
        lookAtChanges();
      }, limits.everyMs);
    }
  };
  const note = (node: Node | null) => {
    const element = node instanceof Element ? node : node && dom.parentOf(node);
    if (element && changed.size < 500) changed.add(boxes.isRoot(element) ? dom.root() : element);
  };
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'childList') for (const node of addedNodes) note(node);
      else note(target);
    }
    const mayBeNew = records.some(({ addedNodes }) => addedNodes.length > 0);
    if (changed.size > 0) schedule(mayBeNew);
  });
  const observed = new WeakSet<Node>();
  const options = { subtree: true, childList: true, characterData: true, attributes: true };
  const observe = (root: Element) => {
    const shadows = [root, ...dom.descendants(root, 30_000)].flatMap((element) => dom.shadowRoot(element) ?? []);
    for (const each of [document, ...shadows]) {
      if (observed.has(each)) continue;
      observed.add(each);
      observer.observe(each, { ...options, attributeFilter: ['class', 'style', 'hidden', 'open', 'aria-hidden'] });
    }
  };
  const onMotion = ({ target }: Event) => {
    note(target as Node);
    schedule(false);
  };

  /** What the consent script's rules have hidden, with a style element of their own. */
  const hiddenByRules = (): string[] => {
    const [style] = dom.query(document, 'style#autoconsent-css-rules');
    const rules = style instanceof HTMLStyleElement ? [...(style.sheet?.cssRules ?? [])].slice(0, 20) : [];
    const selectors = rules.flatMap((rule) => (rule instanceof CSSStyleRule ? rule.selectorText : []));
    const elements = selectors.flatMap((selector) => dom.query(document, selector).slice(0, 3));
    return elements.filter((element) => !dom.isRendered(element)).map(dom.describe);
  };

  (globalThis as BannerWorld).captureBanners = {
    hints: () => search.hints(),
    hide() {
      if (!observed.has(document)) {
        for (const type of ['transitionrun', 'transitionend', 'animationstart', 'animationend']) {
          addEventListener(type, onMotion, { capture: true, passive: true });
        }
      }
      const names = [...hiddenByRules(), ...hideIn(dom.root())];
      observe(dom.root());
      return names;
    },
    next() {
      const next = async () => {
        if (queue.names.length === 0) {
          await new Promise<void>((resolve) => {
            queue.wake = resolve;
          });
        }
        return queue.names.splice(0, 20);
      };
      // Referenced here, because a pending evaluation alone does not keep the promise from garbage collection.
      queue.next = next();
      return queue.next;
    },
    isBanner() {
      const body = dom.body();
      return body !== null && signs.isConsentDocument(body);
    },
    hideFrame(frame) {
      const box = boxes.boxOf(frame);
      return box ? removal.hide([box]) : [];
    },
    stopClicks() {
      HTMLElement.prototype.click = () => undefined;
      EventTarget.prototype.dispatchEvent = () => true;
    },
  };
}
