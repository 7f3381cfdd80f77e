import { inView, isShown } from '../dom/visibility.ts';
import type { Glance } from './glance.ts';
import { readRefresh } from './read-refresh.ts';

/** The most URLs of images, and of frames, that a look reports. */
const urlsAtMost = 50;

/** URLs of the images in view that have not arrived. */
export function lateImages(glance: Glance): string[] {
  return (
    glance
      .all<HTMLImageElement>('img')
      .filter((image) => !image.complete && image.currentSrc + image.src !== '')
      // Maps keep a tile invisible until it has loaded.
      .filter((image) => image.checkVisibility({ contentVisibilityAuto: true }) && inView(image))
      // A tracking pixel states its size; an image of unknown size may turn out to have any.
      .filter((image) => !((image.width === 1 || image.height === 1) && image.width <= 2 && image.height <= 2))
      .slice(0, urlsAtMost)
      .map((image) => image.currentSrc || image.src)
  );
}

/** URLs of the frames in view. */
export function framesInView(glance: Glance): string[] {
  return glance
    .all<HTMLIFrameElement | HTMLObjectElement>('iframe, object, embed')
    .filter((frame) => isShown(frame) && inView(frame) && frame.offsetWidth > 30 && frame.offsetHeight > 30)
    .slice(0, urlsAtMost)
    .map((frame) => ('data' in frame ? frame.data : frame.src));
}

/** Whether a font is loading: a font that text waits for or, if `isOptional`, a font that no text waits for. */
export function loadsFont(isOptional: boolean): boolean {
  return [...document.fonts].some(
    ({ status, display }) => status === 'loading' && (display === 'optional') === isOptional,
  );
}

/** Whether a video in view has no frame yet. */
export function lacksVideo(glance: Glance): boolean {
  return glance
    .all<HTMLVideoElement>('video')
    .some(
      (video) =>
        !video.poster &&
        video.networkState === HTMLMediaElement.NETWORK_LOADING &&
        video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA &&
        video.offsetWidth * video.offsetHeight > 10_000 &&
        inView(video) &&
        isShown(video),
    );
}

/** Milliseconds until a `Refresh` header or a `<meta http-equiv=refresh>` opens another document; null without one. */
export function refreshInMs(glance: Glance): number | null {
  const { refreshHeader } = glance.input;
  const text = refreshHeader ?? glance.all('meta[http-equiv="refresh" i]')[0]?.getAttribute('content') ?? '';
  const refresh = readRefresh(text);
  if (!refresh) return null;
  const { seconds, target } = refresh;
  if (target !== '' && URL.parse(target, document.baseURI)?.href === location.href) return null;
  return Math.max(0, seconds * 1_000 - performance.now());
}
