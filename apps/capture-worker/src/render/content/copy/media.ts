/// <reference lib="dom" />
import type { NodeReader } from './node-reader.ts';

/** See `media`. */
export type Media = ReturnType<typeof media>;

/** Copies images, and links to videos. Part of `copyContent`. */
export function media({ read: { attributeOf, absolute }, copy }: { read: NodeReader; copy: Document }) {
  return { imageOf, linkTo };

  function imageOf(image: Element, base: string): Element | null {
    const givenAs = (names: string[]) => names.map((name) => attributeOf(image, name)).find(Boolean) ?? '';
    const firstOf = (set: string) => set.trim().split(/\s+/, 1)[0] ?? '';
    const shown = (image as HTMLImageElement).currentSrc || attributeOf(image, 'src');
    // A script that loads images late moves these to `src`, in place of a placeholder.
    const lazy = [
      givenAs(['data-src', 'data-original', 'data-lazy-src']),
      firstOf(givenAs(['data-srcset', 'data-lazy-srcset'])),
    ].find((url) => url !== '' && !/^(data|blob):|[{}]/.test(url));
    const source =
      lazy ?? (/^(data|blob):/.test(shown) || shown === '' ? firstOf(attributeOf(image, 'srcset')) : shown);
    const url = absolute(source, base);
    if (url === '' || source === '') return null;
    const copied = copy.createElement('img');
    copied.setAttribute('src', url);
    copied.setAttribute('alt', attributeOf(image, 'alt').replace(/\s+/g, ' ').trim());
    return copied;
  }

  /** A link to a video or a sound. */
  function linkTo(element: Element, base: string): Element | null {
    const url = absolute((element as HTMLMediaElement).currentSrc || attributeOf(element, 'src'), base);
    if (url === '') return null;
    const link = copy.createElement('a');
    link.href = url;
    link.textContent = attributeOf(element, 'title') || element.localName;
    return link;
  }
}
