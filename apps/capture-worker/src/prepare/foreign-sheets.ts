import type { Protocol } from 'puppeteer';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import type { TallPage } from './tall-page.ts';

/** The time limit for all sheets, milliseconds: a page has up to 20, and reading and writing one takes some milliseconds. */
const sheetsWithinMs = 5_000;

/** Whether a sheet mentions the height of the window. */
const mentionsHeight = /\d(?:[dsl]?v|cq)(?:h|b|min|max)\b|@media[^{]*(?:height|orientation|aspect-ratio)/i;

/** Does the work of `recordLengths` for style sheets of other sites, which scripts may neither read nor change. */
export async function recordForeignSheets(tall: TallPage): Promise<void> {
  const urls = (await tall.call('takeUnreadableSheets', null)) ?? [];
  if (urls.length > 0) await bestEffort(fixSheets(tall, urls));
}

async function fixSheets({ page, deadline }: TallPage, urls: string[]): Promise<void> {
  const { session } = page;
  const headers: Protocol.CSS.CSSStyleSheetHeader[] = [];
  const add = ({ header }: Protocol.CSS.StyleSheetAddedEvent) => {
    headers.push(header);
  };
  const fixSheet = async ({ styleSheetId }: Protocol.CSS.CSSStyleSheetHeader) => {
    const { text } = await session.send('CSS.getStyleSheetText', { styleSheetId });
    if (!mentionsHeight.test(text)) return;
    const limits = { what: 'fixing a style sheet', limitMs: sheetsWithinMs, deadline };
    const fixed = await runInPage(page, 'fixText', text, limits);
    await session.send('CSS.setStyleSheetText', { styleSheetId, text: fixed });
  };
  const fixAll = async () => {
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { mainFrameId } = page.activity;
    const foreign = headers.filter(({ frameId, sourceURL }) => frameId === mainFrameId && urls.includes(sourceURL));
    await Promise.allSettled(foreign.map(fixSheet));
  };
  session.on('CSS.styleSheetAdded', add);
  try {
    await page.step('fixing style sheets', sheetsWithinMs, deadline, fixAll());
  } finally {
    session.off('CSS.styleSheetAdded', add);
    // Failures are ignored, because the page is closed then.
    session.send('CSS.disable').catch(() => undefined);
    session.send('DOM.disable').catch(() => undefined);
  }
}
