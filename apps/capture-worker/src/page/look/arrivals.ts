/// <reference lib="dom" />
import type { LookInput } from './look.ts';
import type { PageRoots } from './page-roots.ts';
import type { Visibility } from './visibility.ts';

/** See `arrivals`. */
export type Arrivals = ReturnType<typeof arrivals>;

/** Finds what has not arrived. Part of `look`. */
export function arrivals({
  input: { refreshHeader },
  page: { all },
  visible: { inView, isShown },
}: {
  input: LookInput;
  page: PageRoots;
  visible: Visibility;
}) {
  return { lateImages, lateFrames, loadsFont, lacksVideo, refreshTime };

  function lateImages(): string[] {
    return (
      (all('img') as HTMLImageElement[])
        .filter((image) => !image.complete && image.currentSrc + image.src !== '')
        // Maps keep a tile invisible until it has loaded.
        .filter((image) => image.checkVisibility({ contentVisibilityAuto: true }) && inView(image))
        // A tracking pixel has a size of its own; an image of unknown size may turn out to be any.
        .filter((image) => !((image.width === 1 || image.height === 1) && image.width <= 2 && image.height <= 2))
        .slice(0, 50)
        .map((image) => image.currentSrc || image.src)
    );
  }

  function lateFrames(): string[] {
    return (all('iframe, object, embed') as (HTMLIFrameElement | HTMLObjectElement)[])
      .filter((frame) => isShown(frame) && inView(frame) && frame.offsetWidth > 30 && frame.offsetHeight > 30)
      .slice(0, 50)
      .map((frame) => ('data' in frame ? frame.data : frame.src));
  }

  /** Whether a font is loading that text waits for, or that it does not wait for. */
  function loadsFont(isOptional: boolean): boolean {
    return [...document.fonts].some(
      ({ status, display }) => status === 'loading' && (display === 'optional') === isOptional,
    );
  }

  function lacksVideo(): boolean {
    return (all('video') as HTMLVideoElement[]).some(
      (video) =>
        !video.poster &&
        video.networkState === HTMLMediaElement.NETWORK_LOADING &&
        video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA &&
        video.offsetWidth * video.offsetHeight > 10_000 &&
        inView(video) &&
        isShown(video),
    );
  }

  /** When the page opens another one, milliseconds since it was opened; null if it does not. */
  function refreshTime(): number | null {
    const refresh = refreshHeader ?? all('meta[http-equiv="refresh" i]')[0]?.getAttribute('content') ?? '';
    const [, seconds = '', target = ''] =
      /^\s*([\d.]+)\s*[;,]?\s*(?:url\s*=\s*)?["']?(.*?)["']?\s*$/i.exec(refresh) ?? [];
    const refreshes = seconds !== '' && (target === '' || URL.parse(target, document.baseURI)?.href !== location.href);
    return refreshes ? Number(seconds) * 1_000 : null;
  }
}
