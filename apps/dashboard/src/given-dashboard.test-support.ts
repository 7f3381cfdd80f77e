import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { openBrowser, type VisitOptions, type Visitor, visit } from './browser.test-support.ts';
import { type PlatformOptions, type PlatformUnderTest, startPlatform } from './platform.test-support.ts';

/**
 * A platform and a browser for the tests of one file. After each test its visitors leave, and none of them may have seen
 * an error of a script, or something that the page's own policy refused.
 */
export function givenDashboard(options: PlatformOptions = {}) {
  let platform: PlatformUnderTest;
  let chromium: Awaited<ReturnType<typeof openBrowser>>;
  let visitors: Visitor[] = [];
  beforeAll(async () => {
    [platform, chromium] = await Promise.all([startPlatform(options), openBrowser()]);
  });
  afterEach(async () => {
    const left = visitors;
    visitors = [];
    for (const visitor of left) await visitor.close();
    expect(left.flatMap(({ faults }) => faults)).toEqual([]);
  });
  afterAll(async () => {
    await chromium.close();
    await platform.close();
  });
  return {
    get platform() {
      return platform;
    },
    /** Somebody comes, to this platform or another. */
    async come(how: VisitOptions = {}, url = platform.url): Promise<Visitor> {
      const visitor = await visit(chromium.browser, url, how);
      visitors.push(visitor);
      return visitor;
    },
  };
}
