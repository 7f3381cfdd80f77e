/** The host and port of a URL for messages, without its user, password or path. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || 'this machine' : 'an invalid URL';
}
