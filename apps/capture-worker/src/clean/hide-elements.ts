import { Request } from '@ghostery/adblocker';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { collectNames, hideElements, type PageNames } from './clean-scripts.ts';
import { bannerSelectors, type ConsentScript } from './consent-script.ts';
import type { Filters } from './filters.ts';

/** 5,000 elements take a few milliseconds; the largest pages on the web have 50,000. */
const hideWithinMs = 2_000;
const limits = { names: 5_000, length: 200 };

/**
 * Hides elements of the main document that the filters match, and the empty boxes of blocked requests.
 *
 * @returns how many elements were hidden.
 * @throws what `CapturePage.step` throws, unless the step hung.
 */
export async function hideMatches(
  page: CapturePage,
  filters: Filters,
  blockedUrls: string[],
  deadline: Deadline,
): Promise<number> {
  const { document } = page.activity;
  if (!document || !/^https?:/.test(document.url)) return 0;
  const step = { what: 'hiding elements', limitMs: hideWithinMs, deadline };
  const names = await bestEffort(runInPage(page, collectNames, limits, step));
  if (!names) return 0;
  const styles = stylesFor(filters, document.url, names);
  if (styles === '' && blockedUrls.length === 0) return 0;
  return (await bestEffort(runInPage(page, hideElements, { styles, blockedUrls }, step))) ?? 0;
}

function stylesFor({ engine }: Filters, url: string, names: PageNames): string {
  const { hostname, domain } = Request.fromRawDetails({ url });
  const { styles } = engine.getCosmeticsFilters({ url, hostname, domain, ...names, getInjectionRules: false });
  return styles;
}

/** Hides the banner that a rule recognised. @returns whether any element was hidden. */
export async function hideBanner(
  page: CapturePage,
  script: ConsentScript,
  cmp: string,
  deadline: Deadline,
): Promise<boolean> {
  const selectors = bannerSelectors(script, cmp);
  if (selectors.length === 0) return false;
  const styles = selectors.map((selector) => `${selector} { display: none !important }`).join('\n');
  const step = { what: 'hiding a cookie banner', limitMs: hideWithinMs, deadline };
  const hidden = await bestEffort(runInPage(page, hideElements, { styles, blockedUrls: [] }, step));
  return (hidden ?? 0) > 0;
}
