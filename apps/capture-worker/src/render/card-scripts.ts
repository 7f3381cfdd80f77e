/// <reference lib="dom" />
/** Functions that `runInPage` runs in the captured page and in its card. */

/** A page's own metadata. It is untrusted: text of any content; URLs are always http or https. */
export interface PageMetadata {
  title: string;
  description: string;
  siteName: string;
  /** `example.com`; empty for a document that the client sent as `html`. */
  host: string;
  lang: string;
  image: string | null;
  icon: string | null;
  /** The theme colour: red, green, blue. */
  color: [number, number, number] | null;
  /** Whether the page shows light text on a dark background. */
  dark: boolean;
}

/** Reads the metadata that search engines and social networks read, from the document as it is now. */
export function readMetadata(): PageMetadata {
  const { location } = window;
  const clean = (text: string | null | undefined) => (text ?? '').slice(0, 10_000).replace(/\s+/g, ' ').trim();
  const meta = (...names: string[]) => {
    for (const name of names) {
      const found = document.querySelectorAll(`meta[property="${name}" i], meta[name="${name}" i]`);
      const text = clean([...found].map((each) => each.getAttribute('content')).find((content) => clean(content)));
      if (text) return text;
    }
    return '';
  };
  const webUrl = (text: string | null) => {
    if (!text || text.length > 8_192) return null;
    try {
      const { protocol, username, password, href } = new URL(text, document.baseURI);
      return /^https?:$/.test(protocol) && !username && !password ? href : null;
    } catch {
      return null;
    }
  };
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  /** The colour as it is drawn; null if it is invalid or translucent. */
  const color = (text: string): [number, number, number] | null => {
    if (!context || !CSS.supports('color', text)) return null;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
    return alpha > 250 ? [red, green, blue] : null;
  };
  const themeColors = [...document.querySelectorAll('meta[name="theme-color" i]')];
  const themeColor = themeColors.find((each) => window.matchMedia(each.getAttribute('media') ?? '').matches);

  // The page's background or, without one, its colour scheme: browsers paint that.
  const root = document.documentElement;
  const painted = [document.body, root].flatMap((each) =>
    each ? [color(getComputedStyle(each).backgroundColor)] : [],
  );
  const [red, green, blue] = painted.find((each) => each !== null) ?? [null, null, null];
  const { colorScheme } = getComputedStyle(root);
  const scheme = colorScheme === 'normal' ? meta('color-scheme') : colorScheme;
  const prefersDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  const schemeIsDark = /\bdark\b/.test(scheme) && (prefersDark || !/\blight\b/.test(scheme));
  const isDark = red === null ? schemeIsDark : 0.299 * red + 0.587 * green + 0.114 * blue < 110;

  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel][href]')].slice(0, 1_000);
  const icons = links
    .map((link) => ({ link, rel: (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/) }))
    .filter(({ rel }) => rel.some((each) => /^(icon|apple-touch-icon(-precomposed)?)$/.test(each)))
    .map(({ link, rel }) => ({
      url: webUrl(link.getAttribute('href')),
      size: /\.svg\b|^any$/i.test(`${link.getAttribute('href')}`)
        ? 1_000
        : Number.parseInt(link.getAttribute('sizes') ?? '', 10) || (rel.includes('icon') ? 16 : 180),
    }))
    .filter(({ url }) => url !== null)
    .sort((one, other) => other.size - one.size);
  const usualIcon = /^https?:$/.test(location.protocol) ? `${location.origin}/favicon.ico` : null;

  return {
    title:
      meta('og:title', 'twitter:title') || clean(document.title) || clean(document.querySelector('h1')?.textContent),
    description: meta('og:description', 'twitter:description', 'description'),
    siteName: meta('og:site_name', 'application-name'),
    host: location.hostname.replace(/^www\./, ''),
    lang: clean(root.getAttribute('lang')).slice(0, 35),
    image: webUrl(meta('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src')),
    icon: icons[0]?.url ?? usualIcon,
    color: color(themeColor?.getAttribute('content') ?? ''),
    dark: isDark,
  };
}

/**
 * Lays out a card with the images that have loaded, and its text as large as it fits.
 *
 * @param limits.pixels images with more pixels are left out: they would be decoded in full only to be drawn small.
 */
export function fitCard(limits: { pixels: number }): void {
  const card = document.querySelector<HTMLElement>('.card');
  const title = document.querySelector<HTMLElement>('.title');
  const text = document.querySelector<HTMLElement>('.text');
  if (!card || !title) return;
  const sizeOf = (image: HTMLImageElement | null) => {
    if (!image?.complete) return null;
    const { naturalWidth: width, naturalHeight: height } = image;
    return width * height > 0 && width * height <= limits.pixels ? { width, height } : null;
  };
  const size = sizeOf(document.querySelector<HTMLImageElement>('.image img'));
  // Smaller images are logos or tracking pixels.
  if (size && size.width >= 200 && size.height >= 100) {
    const ratio = size.width / size.height;
    card.classList.add('has-image', ratio > 2.6 ? 'banner' : ratio > 1.35 ? 'inset' : 'beside');
  }
  const icon = document.querySelector<HTMLImageElement>('.icon img');
  const iconSize = sizeOf(icon);
  if (icon && iconSize && iconSize.width >= 16 && iconSize.width <= iconSize.height * 2) {
    card.classList.add('has-icon');
    // A 16-pixel icon scaled up three times is blurred.
    if (iconSize.width < 48) icon.classList.add('small');
  }
  const [largest, smallest, lines] = card.classList.contains('inset')
    ? [58, 38, 5]
    : card.classList.contains('banner')
      ? [60, 38, 2]
      : card.classList.contains('beside')
        ? [64, 40, text ? 4 : 5]
        : [84, 44, text ? 3 : 4];
  title.style.setProperty('--lines', String(lines));
  // Scripts whose lines are taller get no more room than Latin.
  const room = lines * largest * 1.17;
  const isTooLong = (element: HTMLElement) => element.scrollHeight > element.clientHeight + 2;
  const fits = () => !isTooLong(title) && title.clientHeight <= room && title.scrollWidth <= title.clientWidth;
  let px = largest;
  for (; px > smallest; px -= 2) {
    title.style.fontSize = `${px}px`;
    if (fits()) break;
  }
  title.style.fontSize = `${px}px`;
  // A word longer than a line at the smallest size is broken; then the title may be larger.
  if (!fits()) {
    title.classList.add('broken');
    for (px = largest; px > smallest && !fits(); px -= 2) title.style.fontSize = `${px}px`;
  }
  // Text that is still too long is cut, after a word if it has words: the tops of a line that is only clamped
  // would show.
  const cut = (element: HTMLElement) => {
    const drop = (parts: string[], separator: string, fewest: number) => {
      while (parts.length > fewest && isTooLong(element)) {
        parts.pop();
        element.textContent = `${parts.join(separator).replace(/[\s,.;:–—-]+$/u, '')}…`;
      }
    };
    drop((element.textContent ?? '').split(' '), ' ', 3);
    const rest = (element.textContent ?? '').replace(/…$/u, '');
    drop(
      Array.from(new Intl.Segmenter().segment(rest), ({ segment }) => segment),
      '',
      1,
    );
  };
  cut(title);
  // The description gets the remaining space.
  const main = document.querySelector<HTMLElement>('.main');
  if (!main || !text) return;
  for (let rows = card.classList.contains('inset') ? 4 : 3; rows > 0; rows -= 1) {
    text.style.setProperty('--lines', String(rows));
    if (main.scrollHeight > main.clientHeight) continue;
    cut(text);
    return;
  }
  text.remove();
}
