import { absoluteUrl } from './absolute-url.ts';
import { attributeOf } from './node-reader.ts';

/** The image in the copy; null if the image has no URL that a visitor can open. */
export function imageElement(copy: Document, image: Element, base: string): Element | null {
  const shown = (image as HTMLImageElement).currentSrc || attributeOf(image, 'src');
  const isInline = /^(data|blob):/.test(shown) || shown === '';
  const source = lateSource(image) ?? (isInline ? firstUrl(attributeOf(image, 'srcset')) : shown);
  const url = absoluteUrl(source, base);
  if (url === '' || source === '') return null;
  const copied = copy.createElement('img');
  copied.setAttribute('src', url);
  copied.setAttribute('alt', attributeOf(image, 'alt').replace(/\s+/g, ' ').trim());
  return copied;
}

/** A script that loads images late moves this URL to `src`, in place of a placeholder. */
function lateSource(image: Element): string | undefined {
  const given = (names: string[]) => names.map((name) => attributeOf(image, name)).find(Boolean) ?? '';
  const urls = [
    given(['data-src', 'data-original', 'data-lazy-src']),
    firstUrl(given(['data-srcset', 'data-lazy-srcset'])),
  ];
  return urls.find((url) => url !== '' && !/^(data|blob):|[{}]/.test(url));
}

function firstUrl(set: string): string {
  return set.trim().split(/\s+/, 1)[0] ?? '';
}

/** A link to a video or a sound. */
export function mediaLink(copy: Document, element: Element, base: string): Element | null {
  const url = absoluteUrl((element as HTMLMediaElement).currentSrc || attributeOf(element, 'src'), base);
  if (url === '') return null;
  const link = copy.createElement('a');
  link.href = url;
  link.textContent = attributeOf(element, 'title') || element.localName;
  return link;
}
