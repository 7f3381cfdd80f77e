import { z } from 'zod';

/** The published limit of the contract. Many servers refuse longer URLs anyway. */
const longestUrl = 8_192;

/** Accepts an absolute URL of one of these protocols (`https:`) without a user name or password. */
export function absoluteUrl(...protocols: string[]) {
  return z
    .string()
    .max(longestUrl)
    .superRefine((text, context) => {
      const fault = urlFault(text, protocols);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    });
}

function urlFault(text: string, protocols: readonly string[]): string | null {
  const allowed = protocols.map((protocol) => protocol.slice(0, -1)).join(' or ');
  if (!URL.canParse(text)) return `must be an absolute URL (${allowed}), such as https://example.com/`;
  const url = new URL(text);
  if (!protocols.includes(url.protocol)) return `must begin with ${allowed}`;
  if (url.username || url.password) return 'must not contain a user name or password';
  return null;
}
