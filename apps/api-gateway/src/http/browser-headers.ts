import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** What the API answers is data: a browser that is led to it may load, run, embed and send nothing. */
const ofData = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // Scripts, forms and the origin itself are taken from whatever it is mistaken for.
  'sandbox',
];

/** What a browser is told with every answer, those of `node:http` itself among them. Nothing is told of other origins: no CORS. */
export const browserHeaders: Readonly<Record<string, string>> = {
  ...headersOfHelmet(),
  'Content-Security-Policy': ofData.join('; '),
};

/**
 * The policy of a PDF: the viewers of browsers refuse to open one in a sandbox. It is no page either: it has a type of
 * its own, which `nosniff` holds the browser to.
 */
export const pdfPolicy = ofData.filter((directive) => directive !== 'sandbox').join('; ');

/** Helmet's headers are the same for every answer, so they are made once. */
function headersOfHelmet(): Record<string, string> {
  const made: Record<string, string> = {};
  const answer = {
    setHeader(name: string, value: string) {
      made[name] = value;
    },
    removeHeader: () => {},
  };
  const set = helmet({
    contentSecurityPolicy: false,
    xFrameOptions: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
  set({} as IncomingMessage, answer as unknown as ServerResponse, () => {});
  return made;
}
