import { describe, expect, it } from '@jest/globals';
import { readList } from './read-list.ts';

const urlsOf = (text: string) => readList(text).urls.map(({ url }) => url);

describe('a list of URLs', () => {
  it.each([
    ['one URL per line', 'https://a.test/\nhttps://b.test/x', ['https://a.test/', 'https://b.test/x']],
    [
      'line ends of other systems, empty lines and spaces',
      ' https://a.test/ \r\n\r\n\rhttps://b.test/',
      ['https://a.test/', 'https://b.test/'],
    ],
    ['no scheme', 'a.test\nb.test/x?y=1', ['https://a.test/', 'https://b.test/x?y=1']],
    ['commas and semicolons in a URL', 'https://a.test/x;v=1?list=1,2', ['https://a.test/x;v=1?list=1,2']],
    [
      'a table with a heading',
      'name,url\nAda,https://a.test/\nBob,"https://b.test/?q=1,2"',
      ['https://a.test/', 'https://b.test/?q=1,2'],
    ],
    [
      'semicolons as in the heading',
      'url;name\nhttps://a.test/;Ada\nhttps://b.test/?x=1,2;Bob',
      ['https://a.test/', 'https://b.test/?x=1,2'],
    ],
    ['tabs and no heading', 'Ada\thttps://a.test/\nBob\tb.test', ['https://a.test/', 'https://b.test/']],
    ['nothing', '\n \n', []],
  ])('is read with %s', (_what, text, urls) => {
    expect(urlsOf(text)).toEqual(urls);
    expect(readList(text).faults).toEqual([]);
  });

  it('counts duplicates, in any spelling', () => {
    const { urls, repeated } = readList('https://a.test\nHTTPS://A.test/\na.test\nhttps://a.test/b');
    expect(urls).toEqual([
      { line: 1, url: 'https://a.test/' },
      { line: 4, url: 'https://a.test/b' },
    ]);
    expect(repeated).toBe(2);
  });

  it('names each line without a valid URL', () => {
    const { urls, faults } = readList('https://a.test/\nftp://b.test/\nhttps://u:p@c.test/\njust words!\nhttps://');
    expect(urls).toHaveLength(1);
    expect(faults).toEqual([
      { line: 2, text: 'ftp://b.test/', message: 'is neither http nor https' },
      { line: 3, text: 'https://u:p@c.test/', message: 'must not contain a user name or password' },
      { line: 4, text: 'just words!', message: 'contains no URL' },
      { line: 5, text: 'https://', message: 'is not a URL' },
    ]);
  });
});
