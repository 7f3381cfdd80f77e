/** Completes a URL as people type it: https if it has no scheme, http for this machine. Text that is no URL stays as it is. */
export function withScheme(text: string): string {
  const typed = text.trim();
  if (typed === '' || /^[a-z][a-z0-9+.-]*:(?!\d+(\/|$))/i.test(typed)) return typed;
  const host = typed.replace(/^\/\//, '');
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/i.test(host);
  const url = `${isLocal ? 'http' : 'https'}://${host}`;
  return /^[^\s/]*[^\s/.]\.?[^\s]*$/.test(host) && URL.canParse(url) ? url : typed;
}

/** Explains the fault of a URL to capture, and how to fix it; undefined without a fault. */
export function pageUrlFault(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return 'Enter the URL of a page, such as https://example.com/.';
  const url = withScheme(text);
  if (!URL.canParse(url)) return 'This is not a URL. Enter one such as https://example.com/.';
  const { protocol, username, password, hostname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return 'Enter a URL that begins with http:// or https://.';
  if (username || password) return 'Remove the user name and password, and set basic_auth instead.';
  if (!hostname.includes('.') && hostname !== 'localhost' && !hostname.startsWith('['))
    return `“${hostname}” is not a host on the internet. Enter a URL such as https://example.com/.`;
  return undefined;
}
