import { describe, expect, it } from '@jest/globals';
import { createCanvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import type { Expectation } from '../case.ts';
import { checkResult, onlyBytes, type Result } from './check-result.ts';

/** Draws a white image of 100×200 with two pink blocks and a green line below them. */
async function image(): Promise<Buffer> {
  const canvas = createCanvas(100, 200);
  const context = canvas.getContext('2d');
  const fill = (colour: string, ...area: [number, number, number, number]) => {
    context.fillStyle = colour;
    context.fillRect(...area);
  };
  fill('#ffffff', 0, 0, 100, 200);
  fill('#ff0080', 10, 10, 80, 40);
  fill('#fa0585', 10, 100, 80, 40);
  fill('#00c853', 0, 190, 100, 2);
  return sharp(canvas.toBuffer('image/png')).png().toBuffer();
}

const nothing: Result = { bytes: null, error: null, quality: null, wait: null, banner: null };

describe('an expectation about an image', () => {
  it.each<[Expectation, Expectation, string]>([
    [{ at: [20, 20], is: '#ff0080' }, { at: [20, 20], is: '#00c853' }, 'at 20, 20 it is #ff0080, not #00c853'],
    [
      { at: [-1, -9], is: '#00c853' },
      { at: [100, 0], is: '#ffffff' },
      'at 100, 0 it is outside of the image, not #ffffff',
    ],
    [
      { area: [10, 10, 80, 40], has: '#ff0080', least: 0.99 },
      { area: [10, 10, 80, 80], has: '#ff0080', least: 0.6 },
      '50.0 % of the area 10, 10, 80, 80 are #ff0080, not 60.0 %',
    ],
    [
      { area: [0, -60, 100, 40], lacks: '#ff0080' },
      { area: [0, 0, 100, 60], lacks: '#ff0080' },
      '3200 pixels of the area 0, 0, 100, 60 are #ff0080',
    ],
    [
      { whole: '#ff0080', pixels: { least: 6_400, most: 6_400 } },
      { whole: '#ff0080', pixels: { most: 6_000 } },
      '6400 pixels are #ff0080, not at most 6000',
    ],
    [{ size: { width: 100, height: { least: 150 } } }, { size: { height: 220 } }, 'the height is 200, not 220'],
    [{ size: { width: { most: 100 } } }, { size: { width: { least: 101 } } }, 'the width is 100, not at least 101'],
    [{ blocks: '#ff0080', count: 2 }, { blocks: '#ff0080', count: 3 }, '2 blocks are #ff0080, not 3'],
    // Two rows are a line, not a block.
    [{ blocks: '#00c853', count: 0 }, { blocks: '#00c853', count: 1 }, '0 blocks are #00c853, not 1'],
  ])('%j holds, and %j does not', async (right, wrong, sentence) => {
    const result = onlyBytes(await image());
    expect(await checkResult(result, [right])).toEqual([]);
    expect(await checkResult(result, [wrong, right])).toEqual([sentence]);
  });
});

describe('an expectation about the report', () => {
  it.each<[Partial<Result>, Expectation, Expectation, string]>([
    [{ quality: [] }, { quality: 'ok' }, { quality: 'blank' }, 'the quality is ok, not blank'],
    [
      { quality: ['blank', 'overlay'] },
      { quality: ['incomplete', 'overlay'] },
      { quality: 'ok' },
      'the quality is blank, overlay, not ok',
    ],
    [{ wait: 'quiet' }, { wait: ['quiet', 'load'] }, { wait: 'load' }, 'the wait is quiet, not load'],
    [{ banner: 'hidden' }, { banner: 'hidden' }, { banner: 'none' }, 'the result for the banner is hidden, not none'],
    [
      { error: 'HTTP_STATUS' },
      { error: 'HTTP_STATUS' },
      { error: 'OVERLOADED' },
      'the error is HTTP_STATUS, not OVERLOADED',
    ],
  ])('of %j: %j holds, and %j does not', async (part, right, wrong, sentence) => {
    const result = { ...nothing, ...part };
    expect(await checkResult(result, [right])).toEqual([]);
    expect(await checkResult(result, [wrong])).toEqual([sentence]);
  });

  it('is left out for other tools', async () => {
    expect(await checkResult(onlyBytes(await image()), [{ quality: 'ok' }], { imageOnly: true })).toEqual([]);
  });

  it('fails without a report', async () => {
    expect(await checkResult(nothing, [{ quality: 'ok' }])).toEqual(['the quality is not reported, not ok']);
  });
});

describe('a result without a readable file', () => {
  const at: Expectation = { at: [1, 1], is: '#ffffff' };

  it('is wrong', async () => {
    expect(await checkResult(nothing, [at])).toEqual(['there is no file']);
    expect(await checkResult({ ...nothing, error: 'CAPTURE_TIMEOUT' }, [at])).toEqual(['it failed: CAPTURE_TIMEOUT']);
    expect(await checkResult(onlyBytes(Buffer.from('no image')), [at])).toEqual([
      expect.stringContaining('the file cannot be read: '),
    ]);
  });
});

describe('an expectation about a PDF', () => {
  /** A PDF of one page, 96×96 CSS pixels, with a pink square of 48×48 and a word. */
  const pdf = makePdf('1 0 0.502 rg 0 36 36 36 re f BT 0 g /F1 12 Tf 4 10 Td (Invoice 4711) Tj ET');

  it.each<[Expectation, Expectation, string]>([
    [{ pdf: { pages: { most: 1 } } }, { pdf: { pages: { least: 2 } } }, 'the PDF has 1 pages, not at least 2'],
    [{ pdf: { text: ['Invoice 4711'] } }, { pdf: { text: ['Total'] } }, 'the text “Total” is missing'],
    [{ pdf: { lacks: ['Total'] } }, { pdf: { lacks: ['Invoice'] } }, 'the PDF contains the text “Invoice”'],
    [
      { pdf: { marks: [{ colour: '#ff0080', page: 1, least: 2_200, most: 2_304 }] } },
      { pdf: { marks: [{ colour: '#ff0080', most: 100 }] } },
      '2304 pixels of all pages are #ff0080, not at most 100',
    ],
  ])('%j holds, and %j does not', async (right, wrong, sentence) => {
    expect(await checkResult(onlyBytes(pdf), [right])).toEqual([]);
    expect(await checkResult(onlyBytes(pdf), [wrong])).toEqual([sentence]);
  });
});

/** Makes a PDF of one page, 72×72 points, with this content. */
function makePdf(content: string): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const xref = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  return Buffer.from(
    `${text}xref\n0 ${count}\n0000000000 65535 f \n${xref}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}
