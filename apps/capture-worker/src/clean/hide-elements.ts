import type { PageNames } from '@capture/page-scripts/world/clean/collect-names';
import type { HiddenElements } from '@capture/page-scripts/world/clean/hide-elements';
import { Request } from '@ghostery/adblocker';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { maxComparedLength } from './block-requests.ts';
import type { Filters } from './filters.ts';

/** 5,000 elements take a few milliseconds; the largest pages on the web have 50,000. */
const hideWithinMs = 2_000;
const none: HiddenElements = { count: 0, names: [] };
const limits = { names: 5_000, length: 200 };

/**
 * Hides elements of the main document that the filters match, and the empty boxes of blocked requests.
 *
 * @returns what was hidden.
 * @throws what `CapturePage.step` throws, unless the step hung.
 */
export async function hideMatches(
  page: CapturePage,
  filters: Filters,
  blockedUrls: string[],
  deadline: Deadline,
): Promise<HiddenElements> {
  const { document } = page.activity;
  if (!document || !/^https?:/.test(document.url)) return none;
  const step = { what: 'hiding elements', limitMs: hideWithinMs, deadline };
  const names = await bestEffort(runInPage(page, 'collectNames', limits, step));
  if (!names) return none;
  const styles = stylesFor(filters, document.url.slice(0, maxComparedLength), names);
  if (styles === '' && blockedUrls.length === 0) return none;
  return (await bestEffort(runInPage(page, 'hideElements', { styles, blockedUrls }, step))) ?? none;
}

function stylesFor({ engine }: Filters, url: string, names: PageNames): string {
  const { hostname, domain } = Request.fromRawDetails({ url });
  const { styles } = engine.getCosmeticsFilters({ url, hostname, domain, ...names, getInjectionRules: false });
  return styles;
}
