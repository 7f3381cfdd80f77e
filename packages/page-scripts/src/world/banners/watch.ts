import { descendants, describeElement, drawnParent, isRendered, pageRoot, query, shadowRoot } from '../dom/elements.ts';
import type { BannerWatching } from '../state/banners-state.ts';
import { isRoot } from './boxes.ts';
import { hideBoxes } from './removal.ts';
import { findBanners } from './search.ts';

/** A page that keeps showing its banner is left alone at some time. */
const limits = { hidden: 50, looks: 2_000, everyMs: 100 };

const observed = {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeFilter: ['class', 'style', 'hidden', 'open', 'aria-hidden'],
};

const motions = ['transitionrun', 'transitionend', 'animationstart', 'animationend'];

/** Hides the banners of a document, and the banners that come later, before they are drawn. */
export class BannerWatch implements BannerWatching {
  readonly #roots = new WeakSet<Node>();
  readonly #observer = new MutationObserver((records) => this.#noteChanges(records));
  /** The outermost elements that changed. Text that was added counts for the box around the text. */
  readonly #changed = new Set<Element>();
  #hidden = 0;
  #looks = 0;
  #lastLook = 0;
  #isWaiting = false;
  /** Descriptions of hidden elements that `next` has not returned. */
  #names: string[] = [];
  #wake = () => {};
  /** Referenced here, because a pending evaluation alone does not keep the promise from garbage collection. */
  #next?: Promise<string[]>;

  hide(): string[] {
    if (!this.#roots.has(document)) {
      for (const type of motions) addEventListener(type, this.#onMotion, { capture: true, passive: true });
    }
    const names = [...hiddenByRules(), ...this.#hideIn(pageRoot())];
    this.#observe(pageRoot());
    return names;
  }

  next(): Promise<string[]> {
    this.#next = this.#nextNames();
    return this.#next;
  }

  async #nextNames(): Promise<string[]> {
    if (this.#names.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#names.splice(0, 20);
  }

  #hideIn(root: Element): string[] {
    if (this.#hidden >= limits.hidden || this.#looks >= limits.looks) return [];
    this.#looks += 1;
    const names = hideBoxes(findBanners(root));
    this.#hidden += names.length;
    return names;
  }

  #observe(root: Element): void {
    const shadows = [root, ...descendants(root, 30_000)].flatMap((element) => shadowRoot(element) ?? []);
    for (const each of [document, ...shadows]) {
      if (this.#roots.has(each)) continue;
      this.#roots.add(each);
      this.#observer.observe(each, observed);
    }
  }

  #noteChanges(records: readonly MutationRecord[]): void {
    for (const { type, target, addedNodes } of records) {
      if (type === 'childList') for (const node of addedNodes) this.#note(node);
      else this.#note(target);
    }
    const mayBeNew = records.some(({ addedNodes }) => addedNodes.length > 0);
    if (this.#changed.size > 0) this.#schedule(mayBeNew);
  }

  readonly #onMotion = ({ target }: Event): void => {
    this.#note(target as Node);
    this.#schedule(false);
  };

  #note(node: Node | null): void {
    const element = node instanceof Element ? node : node && drawnParent(node);
    if (element && this.#changed.size < 500) this.#changed.add(isRoot(element) ? pageRoot() : element);
  }

  /** Looks at once, so that a new banner is never drawn; but scripts may change styles in every frame. */
  #schedule(isNew: boolean): void {
    const now = performance.now();
    if (isNew || now - this.#lastLook > limits.everyMs) {
      this.#lastLook = now;
      this.#lookAtChanges();
    } else if (!this.#isWaiting) {
      this.#isWaiting = true;
      setTimeout(() => {
        this.#isWaiting = false;
        this.#lastLook = performance.now();
        this.#lookAtChanges();
      }, limits.everyMs);
    }
  }

  #lookAtChanges(): void {
    const roots = [...this.#changed].slice(0, 50);
    this.#changed.clear();
    for (const root of roots) {
      this.#observe(root);
      this.#report(this.#hideIn(root));
    }
  }

  #report(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#names.push(...names);
    this.#wake();
  }
}

/** What the rules of the consent library have hidden, with a style element that only the library adds. */
function hiddenByRules(): string[] {
  const [style] = query(document, 'style#autoconsent-css-rules');
  const rules = style instanceof HTMLStyleElement ? [...(style.sheet?.cssRules ?? [])].slice(0, 20) : [];
  const selectors = rules.flatMap((rule) => (rule instanceof CSSStyleRule ? rule.selectorText : []));
  const elements = selectors.flatMap((selector) => query(document, selector).slice(0, 3));
  return elements.filter((element) => !isRendered(element)).map(describeElement);
}
