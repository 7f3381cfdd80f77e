import { describe, expect, it } from '@jest/globals';
import { absoluteUrl } from './absolute-url.ts';
import { languageOf } from './code-language.ts';
import { isDeep } from './read-metadata.ts';
import { readDate, readNumber } from './read-value.ts';
import { isInternal } from './write-links.ts';
import { smallNumber } from './write-text.ts';

describe('readNumber', () => {
  it.each([
    ['from $1,299.00', 'en', 1299],
    ['1.299,00 €', 'de', 1299],
    ['12.000 €', 'en', 12_000],
    ['12.000', 'en', 12],
    ['12.000', 'de', 12_000],
    ['-5.5e3 units', 'en', -5_500],
    ['2–3', 'en', 2],
    ['none', 'en', null],
  ])('reads %s in %s as %s', (text, language, number) => {
    expect(readNumber(text, language)).toBe(number);
  });
});

describe('readDate', () => {
  it.each([
    ['31.12.2025', '2025-12-31T00:00:00.000Z'],
    ['2025-12-31 10:00Z', '2025-12-31T10:00:00.000Z'],
    ['Room 101', null],
  ])('reads %s as %s', (text, date) => {
    expect(readDate(text)).toBe(date);
  });
});

describe('languageOf', () => {
  const place = (classes: string, given = '', isInner = true) => ({ classes, given, isInner });

  it('takes the language that an attribute or a class names', () => {
    expect(languageOf([place('language-TS')])).toBe('ts');
    expect(languageOf([place('', 'Rust')])).toBe('rust');
    expect(languageOf([place('hljs bash')])).toBe('bash');
  });

  it('takes no layout class, and no bare class outside of the block', () => {
    expect(languageOf([place('highlight'), place('python', '', false)])).toBe('');
    expect(languageOf([place('', 'text'), place('language-js')])).toBe('');
  });
});

it('absoluteUrl keeps URLs that a visitor can follow', () => {
  expect(absoluteUrl('../up', 'https://a.example/x/y')).toBe('https://a.example/up');
  expect(absoluteUrl('javascript:alert(1)', 'https://a.example/')).toBe('');
});

it('isInternal ignores www.', () => {
  expect(isInternal('https://www.a.example/x', 'a.example')).toBe(true);
  expect(isInternal('mailto:me@a.example', 'a.example')).toBe(false);
});

it('smallNumber writes raised numbers only', () => {
  expect(smallNumber(' −12 ', 'sup')).toBe('⁻¹²');
  expect(smallNumber('st', 'sup')).toBeNull();
});

it('isDeep finds values that could exhaust the stack', () => {
  expect(isDeep([[[1]]], 3)).toBe(true);
  expect(isDeep([[[1]]], 5)).toBe(false);
});
