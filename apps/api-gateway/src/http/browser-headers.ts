import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** API responses are data: a browser that opens a response may load, run, embed and send nothing. */
const dataPolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // A response that a browser mistakes for a page gets no scripts, no forms and no origin.
  'sandbox',
];

/** The headers of every response, also of those that `node:http` itself sends. No header allows another origin (CORS). */
export const browserHeaders: Readonly<Record<string, string>> = {
  ...helmetHeaders(),
  'Content-Security-Policy': dataPolicy.join('; '),
};

/**
 * The policy of a PDF: viewers in browsers refuse to open a PDF in a sandbox. A browser cannot mistake a PDF for a page:
 * `nosniff` holds the browser to the media type of the PDF.
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
