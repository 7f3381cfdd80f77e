/** Takes no room. An empty template would be Chromium's own, with date, title and address. */
const nothing = '<span></span>';

/**
 * What Chromium makes of a header or footer was tried: it is laid out beside the page, scripts do not run, frames, images
 * and links load nothing but `data:`, so no request of a template's goes around the guard, or anywhere. But a style sheet,
 * font, mask or filter that it wants from elsewhere makes the renderer crash (puppeteer #7496, #10407); as nothing of it
 * would come anyway, the references are taken out. One that hides behind escapes harms its own capture alone.
 */
export function printTemplate(html = ''): string {
  const harmless = html
    .replaceAll(/<link\b/gi, '<wbr')
    .replaceAll(/@import\b/gi, '@none')
    .replaceAll(/\burl\(\s*(?:"(?!data:|#)[^"]*"|'(?!data:|#)[^']*'|(?!["']|data:|#)[^)]*)\s*\)/gi, 'none');
  return harmless.trim() === '' ? nothing : harmless;
}
