import { describe, expect, it } from '@jest/globals';
import { partsOf, tilesOf } from './tiles.ts';

const box = { width: 1_000, height: 500 };
const ratios = new Map([['a.png', 4]]);

describe('tilesOf', () => {
  it('repeats an image that covered the window in that size, under a gradient as tall as the window', () => {
    const image = 'linear-gradient(rgba(0, 0, 0, 0.5), red), url("a.png")';
    expect(tilesOf({ image, size: 'auto, cover', position: '0% 0%, 50% 50%', repeat: 'repeat' }, box, ratios)).toEqual({
      'background-attachment': 'scroll',
      'background-size': '1000px 500px, 2000px 500px',
      'background-position': '0% 0px, 50% 0px',
      'background-repeat': 'repeat-y, repeat-y',
    });
  });

  it.each([
    ['a gradient alone', 'linear-gradient(red, blue)', 'auto'],
    ['a pattern', 'url("a.png")', '20px 20px'],
    ['an image of unknown proportions', 'url("b.png")', 'cover'],
    ['an image as wide as the window that is not tall enough for it', 'url("a.png")', '100%'],
  ])('leaves %s', (_, image, size) => {
    expect(tilesOf({ image, size, position: '0% 0%', repeat: 'repeat' }, box, ratios)).toBeNull();
  });
});

it('partsOf splits a list at its own commas', () => {
  expect(partsOf('url("a,b\\",c"), rgb(1, 2, 3) , none')).toEqual(['url("a,b\\",c")', 'rgb(1, 2, 3)', 'none']);
});
