import { describe, expect, it } from '@jest/globals';
import { readPdfPages } from './pdf-file.ts';

/** Builds a PDF of these objects, in order; the first is the catalog. */
function pdfOf(objects: string[]): Buffer {
  let text = '%PDF-1.4\n';
  const rows = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n<<${object}>>\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`;
  const trailer = `trailer\n<</Size ${objects.length + 1}\n/Root 1 0 R>>\n`;
  return Buffer.from(`${text}${table}${trailer}startxref\n${text.length}\n%%EOF\n`, 'latin1');
}

describe('readPdfPages', () => {
  it('counts the pages and measures the first, at any depth of the page tree', () => {
    const pdf = pdfOf([
      '/Type /Catalog /Pages 2 0 R',
      '/Type /Pages /Count 9 /Kids [3 0 R 5 0 R]',
      '/Type /Pages /Count 8 /Kids [4 0 R 5 0 R]',
      '/Type /Page /MediaBox [0 0 595.919 842.88] /Parent 3 0 R',
      '/Type /Page /MediaBox [0 0 72 72] /Parent 2 0 R',
    ]);
    expect(readPdfPages(pdf)).toEqual({ count: 9, width: 795, height: 1_124 });
  });

  it('ignores dictionary syntax inside strings', () => {
    const pdf = pdfOf([
      '/Type /Catalog /Lang (\\) /Pages 4 0 R \\\\) /Pages 2 0 R',
      '/Type /Pages /Count 1 /Kids [3 0 R]',
      '/Type /Page /MediaBox [0 0 72 144]',
      '/Type /Pages /Count 7 /Kids [3 0 R]',
    ]);
    expect(readPdfPages(pdf)).toEqual({ count: 1, width: 96, height: 192 });
  });

  it('throws on invalid PDFs', () => {
    const looped = pdfOf(['/Type /Catalog /Pages 2 0 R', '/Type /Pages /Count 1 /Kids [2 0 R]']);
    const empty = pdfOf(['/Type /Catalog /Pages 2 0 R', '/Type /Pages /Count 0 /Kids []']);
    const noPages = pdfOf(['/Type /Catalog /Pages 2 0 R']);
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('%PDF-1.4\n%%EOF'),
      looped,
      empty,
      noPages,
      noPages.subarray(9),
    ]) {
      expect(() => readPdfPages(bytes)).toThrow('no PDF');
    }
  });
});
