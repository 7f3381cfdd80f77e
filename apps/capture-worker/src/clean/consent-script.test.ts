import { describe, expect, it } from '@jest/globals';
import { readMessages, snippetSource } from './consent-script.ts';

describe('what the consent script says', () => {
  it('is read where it has the form that it should have', () => {
    const said = [
      { type: 'popupFound', cmp: 'cookieyes', url: 'https://site.example/' },
      { type: 'eval', id: '1', code: 'alert(1)', snippetId: 'EVAL_COOKIEBOT_1' },
      { type: 'report', state: { lifecycle: 'done', clicks: 1 } },
    ];
    expect(readMessages(said)).toEqual([
      { type: 'popupFound', cmp: 'cookieyes' },
      { type: 'eval', id: '1', snippetId: 'EVAL_COOKIEBOT_1' },
      { type: 'report', state: { lifecycle: 'done' } },
    ]);
  });

  it.each([
    ['no list', { type: 'init' }],
    ['nothing', undefined],
    ['a name that is markup', [{ type: 'popupFound', cmp: '<script>' }]],
    ['a name without end', [{ type: 'popupFound', cmp: 'x'.repeat(1_000) }]],
    ['a result that is no truth value', [{ type: 'optOutResult', cmp: 'x', result: 'yes' }]],
    ['a call without a snippet of the library', [{ type: 'eval', id: '1', code: 'alert(1)' }]],
    ['a type that is not known', [{ type: 'constructor' }, null, 7]],
  ])('is not, as %s', (_, said) => {
    expect(readMessages(said)).toEqual([]);
  });

  it('names snippets of the library; no other text is run', () => {
    expect(snippetSource('EVAL_COOKIEBOT_1')).toContain('Cookiebot');
    for (const name of ['alert(1)', 'constructor', '__proto__', 'toString']) expect(snippetSource(name)).toBeNull();
  });
});
