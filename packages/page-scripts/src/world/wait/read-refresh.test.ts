import { describe, expect, it } from '@jest/globals';
import { readRefresh } from './read-refresh.ts';

describe('the value of a refresh', () => {
  it.each([
    ['5', { seconds: 5, target: '' }],
    ['0;url=/next', { seconds: 0, target: '/next' }],
    ["1.5 ; URL = '/next?a=b'", { seconds: 1.5, target: '/next?a=b' }],
    ['3, https://other.example/', { seconds: 3, target: 'https://other.example/' }],
    ['', null],
    ['soon', null],
  ])('%j is read as %j', (value, refresh) => {
    expect(readRefresh(value)).toEqual(refresh);
  });
});
