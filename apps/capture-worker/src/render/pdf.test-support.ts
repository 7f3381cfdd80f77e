import { getDocument, OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

interface ReadPdf {
  /** Sizes are CSS pixels, rounded. */
  pages: { width: number; height: number; text: string }[];
  /** The titles of the outline; children in brackets. */
  outline: string;
  /** The roles in the structure tree of the first page. */
  tags: string[];
  /** The fill colours of the first page, `#rrggbb`. */
  fills: string[];
  images: number;
  /** The colour at the center of each image of the first page, `#rrggbb`. */
  imageColors: string[];
  title: string;
}

/** Reads a PDF as a viewer would. @param pagesAtMost how many pages are read; all are counted. */
export async function readPdf(bytes: Buffer, pagesAtMost = 20): Promise<ReadPdf & { count: number }> {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: false });
  const pdf = await loading.promise;
  try {
    const pages: ReadPdf['pages'] = [];
    for (let number = 1; number <= Math.min(pagesAtMost, pdf.numPages); number += 1) {
      const page = await pdf.getPage(number);
      const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str : '')).join(' ');
      const pixels = (points: number) => Math.round((points * 96) / 72);
      pages.push({
        width: pixels(right - left),
        height: pixels(top - bottom),
        text: text.replaceAll(/\s+/g, ' ').trim(),
      });
    }
    const first = await pdf.getPage(1);
    const { fnArray: calls, argsArray: args } = await first.getOperatorList();
    const fills = calls.flatMap((call, index) => (call === OPS.setFillRGBColor ? [String(args[index]?.[0])] : []));
    const names = calls.flatMap((call, index) => (call === OPS.paintImageXObject ? [String(args[index]?.[0])] : []));
    const { info } = (await pdf.getMetadata()) as { info: { Title?: string } };
    return {
      count: pdf.numPages,
      pages,
      outline: titles(await pdf.getOutline()),
      tags: roles(await first.getStructTree()),
      fills: [...new Set(fills)],
      imageColors: await Promise.all(names.map((name) => centerOf(first, name))),
      images: calls.filter((call) => call === OPS.paintImageXObject).length,
      title: info.Title ?? '',
    };
  } finally {
    await loading.destroy();
  }
}

/** Returns the colour at the center of an image that pdf.js has decoded, with three or four bytes for each pixel. */
async function centerOf(page: PDFPageProxy, name: string): Promise<string> {
  const image = await new Promise<{ width: number; height: number; data: Uint8Array }>((resolve) => {
    page.objs.get(name, resolve);
  });
  const { width, height, data } = image;
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * (data.length / (width * height));
  return `#${Buffer.from(data.subarray(at, at + 3)).toString('hex')}`;
}

interface OutlineItem {
  title: string;
  items: OutlineItem[];
}

function titles(items: OutlineItem[] | null): string {
  return (items ?? [])
    .map(({ title, items: children }) => (children.length > 0 ? `${title} (${titles(children)})` : title))
    .join(', ');
}

function roles(node: unknown): string[] {
  const { role, children = [] } = (node ?? {}) as { role?: string; children?: unknown[] };
  return [...(role === undefined ? [] : [role]), ...children.flatMap(roles)];
}
