import { expect, it } from '@jest/globals';
import { pageUrlFault, withScheme } from './page-url.ts';

it.each([
  ['example.com', 'https://example.com'],
  [' example.com/pricing?q=1 ', 'https://example.com/pricing?q=1'],
  ['//example.com', 'https://example.com'],
  ['example.com:8080/a', 'https://example.com:8080/a'],
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:8080/a', 'http://127.0.0.1:8080/a'],
  ['http://example.com', 'http://example.com'],
  ['ftp://example.com', 'ftp://example.com'],
  ['mailto:ada@example.com', 'mailto:ada@example.com'],
  ['two words', 'two words'],
  ['', ''],
])('reads %p as %p', (typed, url) => expect(withScheme(typed)).toBe(url));

it.each([
  ['', 'Enter the URL of a page'],
  [undefined, 'Enter the URL of a page'],
  ['two words', 'This is not a URL'],
  ['ftp://example.com', 'begins with http:// or https://'],
  ['https://ada:secret@example.com', 'set basic_auth'],
  ['exmaple', '“exmaple” is not a host'],
])('says what is wrong with %p', (typed, fault) => expect(pageUrlFault(typed)).toContain(fault));

it.each(['example.com', 'http://localhost:3000/a', 'https://127.0.0.1/'])('accepts %p', (typed) =>
  expect(pageUrlFault(typed)).toBeUndefined(),
);
