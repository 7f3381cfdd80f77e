import { describe, expect, it } from '@jest/globals';
import { readMessages, snippetSource } from './consent-script.ts';

describe('messages of the consent script', () => {
  it('are read when they are valid', () => {
    const messages = [
      { type: 'popupFound', cmp: 'cookieyes', url: 'https://site.example/' },
      { type: 'eval', id: '1', code: 'alert(1)', snippetId: 'EVAL_COOKIEBOT_1' },
      { type: 'report', state: { lifecycle: 'done', clicks: 1 } },
    ];
    expect(readMessages(messages)).toEqual([
      { type: 'popupFound', cmp: 'cookieyes' },
      { type: 'eval', id: '1', snippetId: 'EVAL_COOKIEBOT_1' },
      { type: 'report', state: { lifecycle: 'done', clicks: 1 } },
    ]);
  });

  it.each([
    ['not a list', { type: 'init' }],
    ['nothing', undefined],
    ['a name that is markup', [{ type: 'popupFound', cmp: '<script>' }]],
    ['a name that is too long', [{ type: 'popupFound', cmp: 'x'.repeat(1_000) }]],
    ['a result that is not a boolean', [{ type: 'optOutResult', cmp: 'x', result: 'yes' }]],
    ['an eval without a library snippet', [{ type: 'eval', id: '1', code: 'alert(1)' }]],
    ['unknown types', [{ type: 'constructor' }, null, 7]],
  ])('are dropped: %s', (_, messages) => {
    expect(readMessages(messages)).toEqual([]);
  });

  it('can only name snippets of the library', () => {
    expect(snippetSource('EVAL_COOKIEBOT_1')).toContain('Cookiebot');
    for (const name of ['alert(1)', 'constructor', '__proto__', 'toString']) expect(snippetSource(name)).toBeNull();
  });
});
