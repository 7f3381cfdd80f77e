import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** API responses are data: a browser that opens one may load, run, embed and send nothing. */
const dataPolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // A response mistaken for a page gets no scripts, no forms and no origin.
  'sandbox',
];

/** Headers of every response, those of `node:http` itself included. None allows another origin: no CORS. */
export const browserHeaders: Readonly<Record<string, string>> = {
  ...helmetHeaders(),
  'Content-Security-Policy': dataPolicy.join('; '),
};

/**
 * The policy of a PDF: browsers' viewers refuse to open one in a sandbox. A PDF cannot be mistaken for a page either: it has
 * its own media type, which `nosniff` holds the browser to.
 */
export const pdfPolicy = dataPolicy.filter((directive) => directive !== 'sandbox').join('; ');

/** Helmet's headers are the same for every response, so they are computed once. */
function helmetHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader(name: string, value: string) {
      headers[name] = value;
    },
    removeHeader: () => {},
  };
  const set = helmet({
    contentSecurityPolicy: false,
    xFrameOptions: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
  set({} as IncomingMessage, response as unknown as ServerResponse, () => {});
  return headers;
}
