import type { OgImageRequest } from '@capture/contract/options/og-image-options';
import { type CardColors, cardColors, colorOf } from './card-colors.ts';
import type { PageMetadata } from './card-scripts.ts';
import { cardStyle } from './card-style.ts';

/** More fits on no card, whatever its size. */
const longestTitle = 300;
const longestText = 600;
const longestName = 80;

/** What is read from right to left. */
const rightToLeft =
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

export type CardRequest = Pick<OgImageRequest, 'title' | 'description' | 'theme'>;

/**
 * The document that is drawn as a card. Of the page there is nothing in it but text, escaped, and the addresses of two
 * pictures; it runs no scripts and loads nothing else.
 */
export function cardDocument(page: PageMetadata, request: CardRequest): string {
  const host = shorten(page.host, longestName);
  const site = shorten(page.siteName, longestName) || host;
  const title = shorten(request.title ?? page.title, longestTitle) || site || 'Untitled';
  const text = shorten(request.description ?? page.description, longestText);
  const isDark = request.theme === 'auto' ? page.dark : request.theme === 'dark';
  const colors = cardColors(page.color ?? colorOf(page.host || site), isDark ? 'dark' : 'light');
  const direction = rightToLeft.test(title) ? 'rtl' : 'ltr';
  const initial = [...site.replace(/^[^\p{L}\p{N}]+/u, '')][0]?.toUpperCase() ?? '';
  const shown = title === text ? '' : text;
  return `<!doctype html>
<html lang="${escapeHtml(page.lang)}" dir="${direction}">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src http: https:; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>:root { ${variables(colors)} } ${cardStyle}</style>
<body>
<div class="card">
<div class="picture">${image(page.image)}</div>
<div class="content">
${site && `<div class="site"><span class="icon"><b>${escapeHtml(initial)}</b>${image(page.icon)}</span><span class="name" dir="auto">${escapeHtml(site === title ? '' : site)}</span></div>`}
<div class="main"><h1 class="title" dir="auto">${escapeHtml(title)}</h1>${shown && `<p class="text" dir="auto">${escapeHtml(shown)}</p>`}</div>
${host && host !== site ? `<div class="host" dir="ltr">${escapeHtml(host)}</div>` : ''}
</div>
</div>`;
}

function image(url: string | null): string {
  return url === null ? '' : `<img src="${escapeHtml(url)}" alt="">`;
}

function variables(colors: CardColors): string {
  return Object.entries(colors)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ');
}

/** One line of at most so many characters, without what is no text: controls, halves of characters. */
function shorten(text: string, longest: number): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= longest ? line : `${characters.slice(0, longest).join('').trimEnd()}…`;
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? '');
}
