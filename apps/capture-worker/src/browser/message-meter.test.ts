import { beforeEach, describe, expect, it } from '@jest/globals';
import { maxNetworkEventBytes, messageLimits } from '../limits.ts';
import { MessageMeter } from './message-meter.ts';

describe('MessageMeter', () => {
  let meter: MessageMeter;
  let exceeded: string[];

  beforeEach(() => {
    meter = new MessageMeter();
    exceeded = [];
    for (const context of ['A', 'B']) {
      meter.watch(context, () => exceeded.push(context));
    }
    attach('a', 'A');
    attach('b', 'B');
  });

  /** @param length in bytes, if the message is longer than its text. */
  function admit(message: object, length?: number): boolean {
    const text = JSON.stringify(message);
    return meter.admit({
      length: length ?? text.length,
      head: text.slice(0, 160),
      tail: text.slice(-256),
      start: (bytes) => text.slice(0, bytes),
    });
  }
  const attach = (sessionId: string, browserContextId: string) =>
    admit({ method: 'Target.attachedToTarget', params: { sessionId, targetInfo: { browserContextId } } });
  const event = (method: string, sessionId: string, length?: number, params: object = {}) =>
    admit({ method, params, sessionId }, length);
  const target = (method: string, browserContextId: string, title = '') =>
    admit({ method, params: { targetInfo: { title, browserContextId } } });

  it('drops the events of a page with too many bytes, and reports the page once', () => {
    // Less than half, since attaching the session counts too.
    const half = messageLimits.bytes / 2 - 1_000;
    expect([1, 2, 3, 4].map(() => event('Page.frameNavigated', 'a', half))).toEqual([true, true, false, false]);
    expect(exceeded).toEqual(['A']);
    expect(event('Page.frameNavigated', 'b')).toBe(true);
  });

  it('counts changes of the fragment eight times: a page with URLs of 2 MB is cut off after a few', () => {
    for (let count = 0; count < 8; count += 1) event('Page.navigatedWithinDocument', 'a', 2_100_000);
    expect(exceeded).toEqual(['A']);
  });

  it('delivers nothing that workers write to their console or throw', () => {
    for (const method of ['Runtime.consoleAPICalled', 'Runtime.exceptionThrown'])
      expect(event(method, 'a')).toBe(false);
  });

  it('still delivers responses, and events about targets that are gone', () => {
    event('Page.frameNavigated', 'a', messageLimits.bytes + 1);
    expect(admit({ id: 1, result: {}, sessionId: 'a' }, messageLimits.bytes)).toBe(true);
    expect(target('Target.targetInfoChanged', 'A')).toBe(false);
    expect(target('Target.targetDestroyed', 'A')).toBe(true);
    expect(admit({ method: 'Target.detachedFromTarget', params: { sessionId: 'a' } })).toBe(true);
  });

  it('counts the events of all sessions of a page, and of its targets', () => {
    attach('c', 'A');
    for (let count = 0; count < messageLimits.events / 2; count += 1) {
      event('Page.lifecycleEvent', 'a');
      event('Page.lifecycleEvent', 'c');
    }
    expect(exceeded).toEqual(['A']);
    for (let count = 0; count <= messageLimits.events; count += 1) target('Target.targetCreated', 'B');
    expect(exceeded).toEqual(['A', 'B']);
  });

  it('charges no other page for a title that names its context', () => {
    for (let count = 0; count <= messageLimits.events; count += 1) {
      target('Target.targetCreated', 'B', '"browserContextId":"A"');
    }
    expect(exceeded).toEqual(['B']);
  });

  it('delivers no long network event, and counts long network events without a data: URL several times', () => {
    const long = maxNetworkEventBytes + 1;
    const request = (url: string) => ({ request: { url } });
    expect(event('Network.requestWillBeSent', 'a', long, request('data:,x'))).toBe(false);
    expect(event('Network.requestWillBeSent', 'a', messageLimits.bytes / 4, request('data:,x'))).toBe(false);
    expect(exceeded).toEqual([]);
    event('Network.requestWillBeSent', 'b', messageLimits.bytes / 4, request('http://a/'));
    expect(exceeded).toEqual(['B']);
  });

  it("starts from zero for a page's next capture, and forgets a closed page", () => {
    const most = messageLimits.bytes - 1_000;
    event('Page.frameNavigated', 'a', most);
    meter.reset('A');
    expect(event('Page.frameNavigated', 'a', most)).toBe(true);
    meter.forget('A');
    expect(event('Page.frameNavigated', 'a', most)).toBe(true);
    expect(exceeded).toEqual([]);
  });
});
