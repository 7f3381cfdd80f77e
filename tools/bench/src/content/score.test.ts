import { describe, expect, it } from '@jest/globals';
import { scoreOf, wordsOf } from './score.ts';

describe('the score of Markdown', () => {
  const score = (markdown: string, expected: string) => scoreOf(wordsOf(markdown), wordsOf(expected));

  it('is 1 for the expected text with its markup and the targets of its links', () => {
    expect(
      score(
        '# The *title*\n\n- [a link](https://example.com/a_(b) "title") and snake\\_case, 10<sup>6</sup><br>more',
        'The title a link and snake_case, 106 more',
      ),
    ).toBe(1);
  });

  it('counts missing, extra and repeated words', () => {
    expect(score('one two', 'one two three four')).toBeCloseTo(2 / 3);
    expect(score('one two menu menu', 'one two')).toBeCloseTo(2 / 3);
    expect(score('one one', 'one')).toBeCloseTo(2 / 3);
    expect(score('', '')).toBe(1);
  });
});
