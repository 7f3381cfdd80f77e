import type { CDPSession, Page } from 'puppeteer';

/** The session that Puppeteer itself has with a page, through which it asks to be told of things; not in its types. */
export function puppeteersSession(page: Page): CDPSession | undefined {
  return (page as Page & { _client?: () => CDPSession })._client?.();
}
