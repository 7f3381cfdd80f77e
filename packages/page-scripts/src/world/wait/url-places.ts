import { inView } from '../dom/visibility.ts';
import type { Glance } from './glance.ts';

/** How many elements' styles are read. */
const elementsAtMost = 5_000;

const properties = ['background-image', 'border-image-source', 'mask-image', 'list-style-image', 'content'];

/**
 * Finds which URLs in flight the style sheets and drawings show in view, and which no element shows: scripts load these, and may
 * show them later. `lateImages` finds the URLs of `<img>` elements in view.
 */
export function findPlaces(glance: Glance): { backgrounds: string[]; unplaced: string[] } {
  const { urls } = glance.input;
  if (urls.length === 0) return { backgrounds: [], unplaced: [] };
  const places = new Places(urls);
  for (const image of glance.all<HTMLImageElement>('img')) places.note(image.currentSrc || image.src, false);
  const elements = glance.all('*').slice(0, elementsAtMost);
  for (const element of elements.filter((each) => inView(each))) noteStyles(places, element, true);
  for (const element of elements) {
    if (places.isComplete) break;
    if (!inView(element)) noteStyles(places, element, false);
  }
  for (const element of glance.all('image, use, video[poster], object, embed, input[type=image]')) {
    noteAttributes(places, element);
  }
  return { backgrounds: [...places.inView], unplaced: urls.filter((url) => !places.placed.has(url)) };
}

class Places {
  readonly inView = new Set<string>();
  readonly placed = new Set<string>();
  /** The URLs without their fragments, because drawings show parts of other drawings: `sprite.svg#truck`. */
  readonly #wanted: Map<string | undefined, string>;

  constructor(urls: readonly string[]) {
    this.#wanted = new Map(urls.map((url) => [url.split('#')[0], url]));
  }

  get isComplete(): boolean {
    return this.placed.size === this.#wanted.size;
  }

  note(shown: string, isInView: boolean): void {
    const url = this.#wanted.get(shown.split('#')[0]);
    if (url === undefined) return;
    this.placed.add(url);
    if (isInView) this.inView.add(url);
  }
}

function noteStyles(places: Places, element: Element, isInView: boolean): void {
  for (const pseudo of [null, '::before', '::after']) {
    const style = getComputedStyle(element, pseudo);
    if (pseudo !== null && style.content === 'none') continue;
    for (const name of properties) {
      for (const [, url = ''] of style.getPropertyValue(name).matchAll(/url\("([^"]*)"\)/g)) places.note(url, isInView);
    }
  }
}

function noteAttributes(places: Places, element: Element): void {
  for (const name of ['href', 'xlink:href', 'poster', 'data', 'src']) {
    const attribute = element.getAttribute(name);
    const url = attribute === null ? null : URL.parse(attribute, document.baseURI)?.href;
    if (!url) continue;
    // A part of a drawing that has not arrived has no box, but its drawing has.
    places.note(url, inView((element.matches('use') && element.closest('svg')) || element));
  }
}
