/** The metadata of a page that its card shows. Hostile: text of any content; URLs are always http or https. */
export interface CardMetadata {
  title: string;
  description: string;
  siteName: string;
  /** `example.com`; empty for a document that the client sent as `html`. */
  host: string;
  lang: string;
  image: string | null;
  icon: string | null;
  /** The theme colour: red, green, blue. */
  color: Color | null;
  /** Whether the page shows light text on a dark background. */
  dark: boolean;
}

type Color = [red: number, green: number, blue: number];

/** Reads the metadata that search engines and social networks read, from the document as it is now. */
export function readCardMetadata(): CardMetadata {
  const root = document.documentElement;
  return {
    title:
      meta('og:title', 'twitter:title') || clean(document.title) || clean(document.querySelector('h1')?.textContent),
    description: meta('og:description', 'twitter:description', 'description'),
    siteName: meta('og:site_name', 'application-name'),
    host: location.hostname.replace(/^www\./, ''),
    lang: clean(root.getAttribute('lang')).slice(0, 35),
    image: webUrl(meta('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src')),
    icon: largestIcon() ?? usualIcon(),
    color: themeColor(),
    dark: isDark(root),
  };
}

function clean(text: string | null | undefined): string {
  return (text ?? '').slice(0, 10_000).replace(/\s+/g, ' ').trim();
}

/** The first of these that the page gives. */
function meta(...names: string[]): string {
  for (const name of names) {
    const found = document.querySelectorAll(`meta[property="${name}" i], meta[name="${name}" i]`);
    const text = clean([...found].map((each) => each.getAttribute('content')).find((content) => clean(content)));
    if (text) return text;
  }
  return '';
}

function webUrl(text: string | null): string | null {
  if (!text || text.length > 8_192) return null;
  try {
    const { protocol, username, password, href } = new URL(text, document.baseURI);
    return /^https?:$/.test(protocol) && !username && !password ? href : null;
  } catch {
    return null;
  }
}

function largestIcon(): string | null {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel][href]')].slice(0, 1_000);
  const icons = links
    .map((link) => ({ link, rel: (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/) }))
    .filter(({ rel }) => rel.some((each) => /^(icon|apple-touch-icon(-precomposed)?)$/.test(each)))
    .map(({ link, rel }) => ({ url: webUrl(link.getAttribute('href')), size: iconSize(link, rel) }))
    .filter(({ url }) => url !== null)
    .sort((one, other) => other.size - one.size);
  return icons[0]?.url ?? null;
}

/** The width of an icon, CSS pixels, as the page says it or as is usual; a drawing fits any size. */
function iconSize(link: HTMLLinkElement, rel: readonly string[]): number {
  if (/\.svg\b|^any$/i.test(`${link.getAttribute('href')}`)) return 1_000;
  return Number.parseInt(link.getAttribute('sizes') ?? '', 10) || (rel.includes('icon') ? 16 : 180);
}

function usualIcon(): string | null {
  return /^https?:$/.test(location.protocol) ? `${location.origin}/favicon.ico` : null;
}

function themeColor(): Color | null {
  const all = [...document.querySelectorAll('meta[name="theme-color" i]')];
  const used = all.find((each) => window.matchMedia(each.getAttribute('media') ?? '').matches);
  return drawnColor(used?.getAttribute('content') ?? '');
}

/** The colour as it is drawn; null if it is invalid or translucent. */
function drawnColor(text: string): Color | null {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!context || !CSS.supports('color', text)) return null;
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return alpha > 250 ? [red, green, blue] : null;
}

/** The page's background decides or, without a background, its colour scheme: browsers paint that. */
function isDark(root: HTMLElement): boolean {
  const backgrounds = [document.body, root].flatMap((each) =>
    each ? [drawnColor(getComputedStyle(each).backgroundColor)] : [],
  );
  const painted = backgrounds.find((each) => each !== null);
  if (painted) return 0.299 * painted[0] + 0.587 * painted[1] + 0.114 * painted[2] < 110;
  const { colorScheme } = getComputedStyle(root);
  const scheme = colorScheme === 'normal' ? meta('color-scheme') : colorScheme;
  const prefersDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  return /\bdark\b/.test(scheme) && (prefersDark || !/\blight\b/.test(scheme));
}
