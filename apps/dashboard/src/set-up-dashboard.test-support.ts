import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { openBrowser, type VisitedBrowser, type VisitOptions, type Visitor, visit } from './browser.test-support.ts';
import { type PlatformOptions, type PlatformUnderTest, startPlatform } from './platform.test-support.ts';

/** Sets up a platform and a browser for a test file. A script error or CSP violation of a visitor fails the test. */
export function setUpDashboard(platformOptions: PlatformOptions = {}) {
  let platform: PlatformUnderTest;
  let chromium: VisitedBrowser;
  let visitors: Visitor[] = [];
  beforeAll(async () => {
    [platform, chromium] = await Promise.all([startPlatform(platformOptions), openBrowser()]);
  });
  afterEach(async () => {
    const closing = visitors;
    visitors = [];
    for (const visitor of closing) await visitor.close();
    expect(closing.flatMap(({ faults }) => faults)).toEqual([]);
  });
  afterAll(async () => {
    await chromium.close();
    await platform.close();
  });
  return {
    get platform() {
      return platform;
    },
    /** Opens the dashboard as a new visitor, of this platform or another. */
    async newVisitor(options: VisitOptions = {}, url = platform.url): Promise<Visitor> {
      const visitor = await visit(chromium, url, options);
      visitors.push(visitor);
      return visitor;
    },
  };
}
