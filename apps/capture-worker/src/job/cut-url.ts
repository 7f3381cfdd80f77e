/** Enough of a URL to know the page. */
const longestUrl = 500;

/** A URL without what often holds what a client confides: query, fragment, user and password. */
export function cutUrl(text: string): string {
  if (!URL.canParse(text)) return '';
  const { protocol, host, pathname } = new URL(text);
  if (host !== '') return `${protocol}//${host}${pathname}`.slice(0, longestUrl);
  // What is behind `data:` or `blob:` is the page's content, or says nothing.
  return protocol === 'about:' ? `about:${pathname}`.slice(0, longestUrl) : protocol;
}
