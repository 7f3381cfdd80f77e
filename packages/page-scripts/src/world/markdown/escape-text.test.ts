import { expect, it } from '@jest/globals';
import { escapeText, finishText } from './escape-text.ts';

const escapeAll = (text: string) => text.replace(/^([-+])/, '\\$1').replace(/^(\d+)\. /, '$1\\. ');
const write = (...texts: string[]) =>
  finishText(texts.map((text) => escapeText(text, { escapeAll, hasFormulas: false })).join(''));

it('escapes what would begin a block only at the start of a line', () => {
  expect(write('- no item')).toBe('\\- no item\n');
  expect(write('Version ', '2. of it')).toBe('Version 2. of it\n');
  expect(write('2. is no item')).toBe('2\\. is no item\n');
});

it('escapes tags and entities, and dollars where there are formulas', () => {
  expect(write('<b> &amp; a < b')).toBe('\\<b> \\&amp; a < b\n');
  expect(escapeText('$5', { escapeAll, hasFormulas: true })).toBe('\\$5');
});
