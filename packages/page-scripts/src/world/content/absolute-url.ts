/** An absolute URL; empty if a visitor cannot follow the URL. */
export function absoluteUrl(url: string, base: string): string {
  try {
    const { protocol, href } = new URL(url.trim(), base);
    return /^(https?|mailto|tel|ftp):$/.test(protocol) ? href : '';
  } catch {
    return '';
  }
}
