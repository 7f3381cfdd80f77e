import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Visitor } from './browser.test-support.ts';
import { setUpDashboard } from './set-up-dashboard.test-support.ts';

const dashboard = setUpDashboard({ services: ['capture-worker'] });
let key: string;

beforeEach(async () => {
  key = await dashboard.platform.register();
});

const call = (method: string, path: string, body?: object) => dashboard.platform.call(key, method, path, body);
const shownSecret = (visitor: Visitor) => visitor.textOf('[role="alert"] code');

describe('the page of render links', () => {
  it('creates, rotates and deletes the link secret, and shows it once', async () => {
    const visitor = await dashboard.newVisitor({ key });
    await visitor.open('/links', 'Render links');
    await visitor.press('Create secret');
    await visitor.see('Copy your link secret now');
    const first = await shownSecret(visitor);
    expect(first).toMatch(/^lnk_/);
    expect(await visitor.accessibilityFaults()).toEqual([]);
    await visitor.press('Rotate the link secret');
    await visitor.choose('Links of the old secret', 'Keep for a day');
    expect(await visitor.accessibilityFaults()).toEqual([]);
    await visitor.press('Rotate secret');
    await visitor.see('Links of the old secret work until');
    const second = await shownSecret(visitor);
    expect(second).not.toBe(first);
    await visitor.press('I saved it');
    await visitor.seeNo('lnk_');
    expect(
      await visitor.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
    ).not.toContain('lnk_');
    await visitor.press('Delete the link secret');
    await visitor.press('Delete secret');
    await visitor.see('Your account has no link secret');
  });

  it('sets the policy, and shows a fault at its field', async () => {
    const visitor = await dashboard.newVisitor({ key, size: 'phone', scheme: 'dark' });
    await visitor.open('/links', 'Render links');
    await visitor.fill('Allowed hosts', 'example.com\n*.example.org');
    await visitor.fill('Maximum width', '1920');
    await visitor.fill('Renders per day', '1000');
    await visitor.press('Save policy');
    await visitor.see('It applies to all links now.');
    const policy = { allowed_hosts: ['example.com', '*.example.org'], max_width: 1_920, renders_per_day: 1_000 };
    expect(await call('GET', '/api/v1/links/policy')).toEqual(policy);
    await visitor.fill('Allowed hosts', 'not a host!');
    await visitor.press('Save policy');
    await visitor.see('must be a host such as example.com');
    expect(await visitor.accessibilityFaults()).toEqual([]);
    expect(await visitor.overflow()).toBe(0);
    await visitor.fill('Allowed hosts', ' ');
    await visitor.page.locator('::-p-aria([name="Maximum width"][role="textbox"])').click({ count: 3 });
    await visitor.page.keyboard.press('Backspace');
    await visitor.press('Save policy');
    await visitor.see('It applies to all links now.');
    expect(await call('GET', '/api/v1/links/policy')).toEqual({ renders_per_day: 1_000 });
  });
});

describe('the image tag', () => {
  it('of the playground shows the capture, and says what is missing', async () => {
    const visitor = await dashboard.newVisitor({ key });
    const values = { url: dashboard.platform.shop, width: 640, height: 480 };
    await visitor.open(
      `/playground#type=screenshot&options=${encodeURIComponent(JSON.stringify(values))}`,
      'Playground',
    );
    await visitor.press('Image tag', 'tab');
    await visitor.see('Links need a link secret.');
    await call('POST', '/api/v1/links/secret');
    await visitor.press('curl', 'tab');
    await visitor.press('Image tag', 'tab');
    await visitor.page.waitForSelector('[aria-label="image tag"] pre');
    expect(await visitor.accessibilityFaults()).toEqual([]);
    const tag = await visitor.textOf('[aria-label="image tag"] pre');
    expect(tag).toMatch(/ width="640" height="480" alt="127\.0\.0\.1:\d+">$/);
    const size = await visitor.page.evaluate(
      async (html) => {
        const part = document.createElement('div');
        part.innerHTML = html;
        document.body.append(part);
        const image = part.querySelector('img') as HTMLImageElement;
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
      },
      tag.replace(/src="[^"]*\/r\//, 'src="/r/'),
    );
    expect(size).toEqual([640, 480]);
  });

  it('of a capture signs its options, and shows what the policy excludes', async () => {
    await call('POST', '/api/v1/links/secret');
    const options = { url: dashboard.platform.shop, headers: { 'X-Token': 'opensesame' }, response_type: 'json' };
    const { request_id } = await call('POST', '/api/v1/pdf', options);
    const visitor = await dashboard.newVisitor({ key });
    await visitor.open(`/captures/${request_id}`, 'PDF');
    await visitor.press('Copy as link tag');
    await visitor.page.waitForSelector('[aria-label="link tag"] pre');
    await visitor.see('because its viewers would see them: headers.');
    expect(await visitor.textOf('[aria-label="link tag"] pre')).toContain('/pdf.pdf?url=');
    expect(await visitor.accessibilityFaults()).toEqual([]);
    await call('PUT', '/api/v1/links/policy', { allowed_hosts: ['example.com'] });
    await visitor.page.reload();
    await visitor.press('Copy as link tag');
    await visitor.see('does not allow pages of 127.0.0.1');
  });
});
