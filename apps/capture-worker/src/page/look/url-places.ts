/// <reference lib="dom" />
import type { LookInput } from './look.ts';
import type { PageRoots } from './page-roots.ts';
import type { Visibility } from './visibility.ts';

/** See `urlPlaces`. */
export type UrlPlaces = ReturnType<typeof urlPlaces>;

/** Finds where the page shows what is in flight. Part of `look`. */
export function urlPlaces({
  input: { urls },
  page: { all },
  visible: { inView },
}: {
  input: LookInput;
  page: PageRoots;
  visible: Visibility;
}) {
  return { findPlaces };

  /** Which of the URLs elements show, and which of these style sheets show in view. */
  function findPlaces(): { backgrounds: string[]; placed: Set<string> } {
    const found = new Set<string>();
    const placed = new Set<string>();
    if (urls.length === 0) return { backgrounds: [], placed };
    // Of parts of a drawing: `sprite.svg#truck`.
    const wanted = new Map(urls.map((url) => [url.split('#')[0], url]));
    const note = (shown: string, isInView: boolean) => {
      const url = wanted.get(shown.split('#')[0]);
      if (url === undefined) return;
      placed.add(url);
      if (isInView) found.add(url);
    };
    // Whether they are in view is known; see above.
    for (const image of all('img') as HTMLImageElement[]) note(image.currentSrc || image.src, false);
    const names = ['background-image', 'border-image-source', 'mask-image', 'list-style-image', 'content'];
    const elements = all('*').slice(0, 5_000);
    for (const element of elements.filter((each) => inView(each))) findIn(element, true);
    for (const element of elements) {
      if (placed.size === wanted.size) break;
      if (!inView(element)) findIn(element, false);
    }
    for (const element of all('image, use, video[poster], object, embed, input[type=image]')) {
      const attributes = ['href', 'xlink:href', 'poster', 'data', 'src'].map((name) => element.getAttribute(name));
      for (const attribute of attributes) {
        const url = attribute === null ? null : URL.parse(attribute, document.baseURI)?.href;
        // What has not arrived has no place of its own.
        const box = (element.matches('use') && element.closest('svg')) || element;
        if (url) note(url, inView(box));
      }
    }
    return { backgrounds: [...found], placed };

    function findIn(element: Element, isInView: boolean): void {
      for (const pseudo of [null, '::before', '::after']) {
        const style = getComputedStyle(element, pseudo);
        if (pseudo !== null && style.content === 'none') continue;
        for (const name of names) {
          for (const [, url = ''] of style.getPropertyValue(name).matchAll(/url\("([^"]*)"\)/g)) {
            note(url, isInView);
          }
        }
      }
    }
  }
}
