import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { openPageServer } from '@capture/testing/network/page-server';
import { makeTestFolder } from '@capture/testing/test-run';
import { describe, expect, it } from '@jest/globals';
import { readList } from './read-list.ts';
import { parseSitemap } from './sitemap.ts';

const { signal } = new AbortController();

/** Reads a list from a file. */
function read(name: string, content: string | Buffer, columns?: string[]) {
  const file = path.join(makeTestFolder('source'), name);
  writeFileSync(file, content);
  return readList(file, { signal, ...(columns && { columns }) });
}

describe('lines', () => {
  it('are URLs; empty lines and comments are ignored', async () => {
    expect(await read('list.txt', '\uFEFFhttps://a/\r\n\n# no\n  https://b/,x  \n')).toEqual([
      { url: 'https://a/', options: {} },
      { url: 'https://b/,x', options: {} },
    ]);
  });
});

describe('CSV', () => {
  it('has a URL, a name, a type and options, with any common delimiter', async () => {
    const rows =
      'URL;file;type;full-page;width;hide_selectors\nhttps://a/;home;;yes;800;"[""#x"",""a, b""]"\nhttps://b/;;og-image;;;\n';
    expect(await read('list.csv', rows)).toEqual([
      { url: 'https://a/', name: 'home', options: { full_page: true, width: 800, hide_selectors: ['#x', 'a, b'] } },
      { url: 'https://b/', type: 'og_image', options: {} },
    ]);
  });

  it('may have other columns when the columns to read are named', async () => {
    const rows = 'id,url\n7,https://a/\n';
    await expect(read('list.csv', rows)).rejects.toThrow('the column "id" is not a capture option');
    expect(await read('list.csv', rows, ['url'])).toEqual([{ url: 'https://a/', options: {} }]);
  });

  it.each([
    ['width\n5\n', 'a column named url; its first line has width'],
    ['url,width\nhttps://a/,wide\n', 'row 2, column width must be a number'],
    ['url,width\n,5\n', 'row 2 has no url'],
    ['url,type\nhttps://a/,gif\n', 'row 2: the type must be one of'],
    ['url\n"https://a/\n', 'the CSV cannot be read'],
  ])('rejects %j', (rows, message) => expect(read('list.csv', rows)).rejects.toThrow(message));
});

describe('JSON lines', () => {
  it('have API options, even those of a newer server', async () => {
    const lines = '{"url":"https://a/","file":"x","width":800,"brand_new":[1]}\n\n{"url":"https://b/","type":"pdf"}\n';
    expect(await read('list.jsonl', lines)).toEqual([
      { url: 'https://a/', name: 'x', options: { width: 800, brand_new: [1] } },
      { url: 'https://b/', type: 'pdf', options: {} },
    ]);
    await expect(read('list.jsonl', '{"url":"https://a/"}\n[]\n')).rejects.toThrow('line 2 is not a JSON object');
  });
});

const urlset = (...locations: string[]) =>
  `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations
    .map((location) => `<url><loc>${location}</loc></url>`)
    .join('')}</urlset>`;

describe('sitemaps', () => {
  it('are read from the web, with the sitemaps of an index, compressed or not', async () => {
    const server = await openPageServer({});
    const index = `<sitemapindex><sitemap><loc>${server.url('/a.xml')}</loc></sitemap><sitemap><loc>${server.url('/b.xml.gz')}</loc></sitemap></sitemapindex>`;
    server.serve({
      '/sitemap.xml': index,
      '/a.xml': urlset('https://a/1', 'https://a/2'),
      '/b.xml.gz': { body: gzipSync(urlset('https://b/1')), headers: { 'content-type': 'application/gzip' } },
      '/page': '<!doctype html><p>a page',
    });
    const found = await readList(server.url('/sitemap.xml'), { signal });
    expect(found.map(({ url }) => url)).toEqual(['https://a/1', 'https://a/2', 'https://b/1']);
    await expect(readList(server.url('/page'), { signal })).rejects.toThrow('is not a sitemap');
    await expect(readList(server.url('/none.xml'), { signal })).rejects.toThrow('responded with 404');
    await server.close();
  });

  it('never lead to a local file', async () => {
    const index = '<sitemapindex><sitemap><loc>/etc/passwd</loc></sitemap></sitemapindex>';
    await expect(read('sitemap.xml', index)).rejects.toThrow('lists a sitemap that is neither http nor https');
  });

  it('list pages in <loc> only, with XML entities decoded', () => {
    const xml = `<urlset><!-- <url><loc>https://no/</loc></url> --><url><loc> https://a/?x=1&amp;y=&#50;&#x33; </loc>
      <image:image><image:loc>https://no/image.png</image:loc></image:image><location>no</location></url>
      <url><loc><![CDATA[https://b/?x&y]]></loc></url><url><loc/></url></urlset>`;
    expect(parseSitemap(xml).locations).toEqual(['https://a/?x=1&y=23', 'https://b/?x&y']);
  });

  it('may have 50,000 URLs, and bare ampersands', () => {
    const { locations } = parseSitemap(urlset(...Array.from({ length: 50_000 }, (_, index) => `https://a/${index}`)));
    expect([locations.length, locations.at(-1)]).toEqual([50_000, 'https://a/49999']);
    expect(parseSitemap(urlset('https://a/?x=1&y=2')).locations).toEqual(['https://a/?x=1&y=2']);
  });

  it('that are hostile neither take long nor expand entities', () => {
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;&f;</loc></url></urlset>';
    expect(parseSitemap(bomb).locations).toEqual(['&a;&f;']);
    expect(parseSitemap(`<urlset>${'<loc>'.repeat(1_000_000)}`).locations).toEqual([]);
    expect(parseSitemap(`<urlset>${'&a;'.repeat(1_000_000)}`).locations).toEqual([]);
    expect(() => parseSitemap(`<urlset>${'<!--'.repeat(1_000_000)}`)).toThrow('not valid XML');
  });
});

it('rejects a gzip bomb', async () => {
  const bomb = gzipSync(Buffer.alloc(201 * 1024 * 1024));
  await expect(read('list.txt.gz', bomb)).rejects.toThrow('cannot be unzipped');
});

it('reports a missing list', async () => {
  await expect(readList('/nowhere/urls.txt', { signal })).rejects.toThrow(
    '/nowhere/urls.txt cannot be read: it does not exist',
  );
});
