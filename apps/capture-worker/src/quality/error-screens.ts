import type { Marker, MarkerFacts } from './marker-script.ts';

/** Error screens that come with the status 200: of frameworks, of development servers, and soft "not found" pages. */

export const errorMarkers: readonly Marker[] = [
  {
    name: 'error screen',
    selector:
      'vite-error-overlay, iframe#webpack-dev-server-client-overlay, .next-error-h1, nextjs-portal [data-nextjs-dialog-overlay]',
    seen: true,
  },
];

/** The beginning of the visible text. */
const beginnings =
  /^(application error: a (client|server)-side exception has occurred|application error\b|(404|500)\s*[|–—:-]?\s*(this page could not be found|internal server error|server error|not found)|(php )?(parse|fatal|uncaught) error\s*:|traceback \(most recent call last\)|warning: .{0,200} on line \d+|there has been a critical error on (this|your) website|error establishing a database connection|unexpected application error|something went wrong(?=[.!]?\s*($|reload|refresh|try again|please))|internal server error|bad gateway|service unavailable|gateway time-?out|this page isn.t working|unhandled runtime error|cannot (get|post) \/)/i;

const phrases =
  'bad request|unauthori[sz]ed|authorization required|forbidden|access denied|((the |this )?(page|file|url) )?(was )?not found|(the |this )?page (could not|can.?t|cannot) be found|gone|too many requests|(internal )?server error|bad gateway|(service )?(temporarily )?unavailable|gateway time-?out|web server is down|connection timed out|origin is unreachable|error';

/** A title such as `404`, `404 Not Found`, `502 Bad Gateway`, `Page not found`. A number with other words may name a car. */
const titles = new RegExp(
  `^(error |http )?(40[0134]|410|429|50[0234]|52\\d)(\\W+(${phrases})\\b.{0,40})?\\W*$|^(page |file )?not found$|^(internal server error|bad gateway|service unavailable|gateway time-?out|forbidden|access denied)$`,
  'i',
);

/** Characters of an error screen. An article about errors has more. */
const longestScreen = 700;
const longestTitledScreen = 1_200;

/** Whether the page is an error page. `sample` is its first visible text. */
export function isErrorPage(
  status: number | null,
  { title, markers, heading }: Pick<MarkerFacts, 'title' | 'markers' | 'heading'>,
  sample: string,
): boolean {
  if (status !== null && status >= 400) return true;
  if (markers.includes('error screen')) return true;
  const text = sample.trim();
  if (text.length < longestScreen && beginnings.test(text)) return true;
  const isTitled = titles.test(title.trim());
  const isHeaded = /\b(404|50[0234]|not found|internal server error|bad gateway|unavailable)\b/i.test(heading);
  return isTitled && (isHeaded || text.length < 300) && text.length < longestTitledScreen;
}
