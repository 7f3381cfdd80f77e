/**
 * Reads the value of a `Refresh` header or a `<meta http-equiv=refresh>`, such as `5; url=/next`: seconds since the document was
 * opened, and the URL to open, empty for the document itself. Null if the value is invalid.
 */
export function readRefresh(value: string): { seconds: number; target: string } | null {
  const [, seconds, target = ''] = /^\s*([\d.]+)\s*[;,]?\s*(?:url\s*=\s*)?["']?(.*?)["']?\s*$/i.exec(value) ?? [];
  return seconds === undefined ? null : { seconds: Number(seconds), target };
}
