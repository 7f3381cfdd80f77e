import type { OgImageRequest } from '@capture/contract/options/og-image-options';
import type { CardMetadata } from '@capture/page-scripts/world/card/read-metadata';
import { type CardColors, cardColors, defaultColor } from './card-colors.ts';
import { cardStyle } from './card-style.ts';

/** Maximum lengths in characters: no card has room for more. */
const titleMaxLength = 300;
const textMaxLength = 600;
const nameMaxLength = 80;

/** Text in a right-to-left script. */
const rightToLeft =
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Text with marks above and below its letters, which meet those of the next line where lines are as close as Latin ones. */
const tall =
  /[\u1ea0-\u1ef9\p{Script=Arabic}\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Khmer}\p{Script=Lao}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Syriac}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thaana}\p{Script=Thai}]/u;

/** Text that stacks letters. */
const taller = /[\p{Script=Balinese}\p{Script=Javanese}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

type CardRequest = Pick<OgImageRequest, 'title' | 'description' | 'theme'>;

/**
 * Builds the HTML document of a card. From the page it takes only escaped text and the URLs of two images. The document
 * runs no scripts and loads nothing else.
 */
export function cardDocument(page: CardMetadata, request: CardRequest): string {
  const host = shorten(page.host, nameMaxLength);
  const site = shorten(page.siteName, nameMaxLength) || host;
  const title = shorten(request.title ?? page.title, titleMaxLength) || site || 'Untitled';
  const text = shorten(request.description ?? page.description, textMaxLength);
  const isDark = request.theme === 'auto' ? page.dark : request.theme === 'dark';
  const colors = cardColors(page.color ?? defaultColor(page.host || site), isDark ? 'dark' : 'light');
  const direction = rightToLeft.test(title) ? 'rtl' : 'ltr';
  const initial = [...site.replace(/^[^\p{L}\p{N}]+/u, '')][0]?.toUpperCase() ?? '';
  const description = title === text ? '' : text;
  return `<!doctype html>
<html lang="${escapeHtml(page.lang)}" dir="${direction}">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src http: https:; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>:root { ${variables(colors)} } ${cardStyle}</style>
<body>
<div class="card">
<div class="image">${image(page.image)}</div>
<div class="content">
${site && `<div class="site"><span class="icon"><b>${escapeHtml(initial)}</b>${image(page.icon)}</span><span class="name" dir="auto">${escapeHtml(site === title ? '' : site)}</span></div>`}
<div class="main"><h1 class="title${heightClass(title)}" dir="auto">${escapeHtml(title)}</h1>${description && `<p class="text${heightClass(description)}" dir="auto">${escapeHtml(description)}</p>`}</div>
${host && host !== site ? `<div class="host" dir="ltr">${escapeHtml(host)}</div>` : ''}
</div>
</div>`;
}

function image(url: string | null): string {
  return url === null ? '' : `<img src="${escapeHtml(url)}" alt="">`;
}

/** The class of text whose lines need more height than Latin ones. */
function heightClass(text: string): string {
  if (taller.test(text)) return ' taller';
  return tall.test(text.normalize('NFC')) ? ' tall' : '';
}

function variables(colors: CardColors): string {
  return Object.entries(colors)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ');
}

/** Cuts text to one line of at most `maxLength` characters, without control characters and lone surrogates. */
function shorten(text: string, maxLength: number): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength).join('').trimEnd()}…`;
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? '');
}
