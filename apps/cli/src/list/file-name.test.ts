import { describe, expect, it } from '@jest/globals';
import { FileNames, safeStem, stemOfUrl } from './file-name.ts';
import type { Item } from './item.ts';

const item = (url: string, name?: string): Item => ({
  key: url,
  type: 'screenshot',
  url,
  options: {},
  ...(name !== undefined && { name }),
});

describe('a name made from a URL', () => {
  it.each([
    ['https://example.com/', 'example.com'],
    ['https://example.com/about/team', 'example.com-about-team'],
    ['http://localhost:3000/a?b=c&d=e#f', 'localhost-3000-a-b-c-d-e'],
    ['https://example.com/caf%C3%A9', 'example.com-café'],
    ['https://example.com/%2e%2e/%2e%2e/etc/passwd', 'example.com-etc-passwd'],
    ['https://example.com/a%00b%2Fc%5Cd', 'example.com-a-b-c-d'],
    ['https://example.com/%E0%A4%A', 'example.com-E0-A4-A'],
    ['https://user:secret@example.com/x', 'example.com-x'],
  ])('%s: %s', (url, name) => expect(stemOfUrl(url)).toBe(name));
});

describe('a name from the list', () => {
  it.each([
    ['../../x', 'x'],
    ['/etc/passwd', 'etc-passwd'],
    ['C:\\Windows\\x', 'C-Windows-x'],
    ['con.txt', '_con.txt'],
    ['NUL', '_NUL'],
    ['.bashrc', 'bashrc'],
    ['-rf', 'rf'],
    ['a\u202egnp.exe', 'a-gnp.exe'],
    ['a\nb\u0000c', 'a-b-c'],
    ['...', 'page'],
    ['', 'page'],
  ])('%j: %s', (text, name) => expect(safeStem(text)).toBe(name));

  it('is truncated for file systems and stays unique', () => {
    const [a, b] = [`${'é'.repeat(500)}a`, `${'é'.repeat(500)}b`].map(safeStem);
    expect(a).not.toBe(b);
    for (const name of [a, b]) expect(Buffer.byteLength(`${name}-99999.webp.part`)).toBeLessThan(255);
    expect(a).not.toContain('\uFFFD');
  });
});

describe('the names of a folder', () => {
  it('are unique, whatever their case, and differ from existing files', () => {
    const names = new FileNames(['EXAMPLE.com.png', 'manifest.jsonl']);
    expect(names.take(item('https://example.com/'))).toBe('example.com-2.png');
    expect(names.take(item('https://example.com/?'))).toBe('example.com-3.png');
    expect(names.take(item('https://a/', 'Home.PNG'))).toBe('Home.png');
    expect(names.take(item('https://b/', 'home'))).toBe('home-2.png');
  });

  it('have the extension of the format', () => {
    const names = new FileNames([]);
    const take = (type: Item['type'], format?: string) =>
      names.take({ ...item('https://a/'), type, options: format === undefined ? {} : { format } });
    expect([take('screenshot', 'jpeg'), take('og_image', 'webp'), take('pdf'), take('screenshot', '../x')]).toEqual([
      'a.jpg',
      'a.webp',
      'a.pdf',
      'a.x',
    ]);
  });
});
