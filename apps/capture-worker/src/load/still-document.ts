import type { PageRequest } from '@capture/contract/options/fill-page';

/**
 * Matches text that may run scripts, show other documents, load style sheets or images later, move, or set state that stays in
 * the window. An element needs its name after `<`, and a handler its attribute with `=`, so a text without a match has no script.
 */
const lively = new RegExp(
  [
    '<(?:script|noscript|iframe|frame|object|embed|portal|fencedframe|link|base|audio|video|marquee|animate|set)',
    String.raw`\bon[a-z]+\s*=`,
    String.raw`\bloading\s*=`,
    String.raw`\bautofocus\b|data:image/(?:gif|webp|apng|avif)`,
    // The first title chooses the style sheets of every later document in the window.
    String.raw`<style[^<>]*\btitle\s*=`,
    // An escape may spell any of these in a style, and a character reference in an attribute.
    String.raw`\\`,
    String.raw`=\s*(?:"[^"]*|'[^']*|[^\s"'>=]*)&(?:#|colon)`,
    'http-equiv|referrer|javascript:|@import|keyframes|transition|-timeline|content-visibility|color-scheme|scripting',
  ].join('|'),
  'i',
);

/** Whether a style sheet may contain character references: in its text they mean nothing, except within SVG or MathML. */
function mayHaveReferencesInStyles(html: string): boolean {
  const from = html.search(/<(?:svg|math)/i);
  return from >= 0 && html.includes('&#', from) && /<style/i.test(html.slice(from));
}

type StillRequest = Pick<
  PageRequest,
  'html' | 'css' | 'js' | 'click' | 'hide_selectors' | 'block_ads' | 'block_cookie_banners' | 'is_mobile'
>;

/**
 * Whether a capture shows a document of the client that no script can change, that is complete once it is loaded, and that has
 * only its own styles: most invoices and cards do. No page script has run in a window that has shown only such documents.
 */
export function isStill(request: StillRequest): boolean {
  const { html, css, js, click, hide_selectors: hidden, block_ads: ads, block_cookie_banners: banners } = request;
  const isChanged = css !== undefined || js !== undefined || click.length > 0 || hidden.length > 0 || ads || banners;
  // A phone's document may set its viewport, which stays in the window.
  return (
    html !== undefined && !isChanged && !request.is_mobile && !lively.test(html) && !mayHaveReferencesInStyles(html)
  );
}
