import { z } from 'zod';
import type { AddFault } from './fill-page.ts';
import { length, toPixels } from './lengths.ts';
import { textOfAtMost } from './page-options.ts';

/** The width and height of each paper, upright. */
const papers = {
  A3: ['297mm', '420mm'],
  A4: ['210mm', '297mm'],
  A5: ['148mm', '210mm'],
  Letter: ['8.5in', '11in'],
  Legal: ['8.5in', '14in'],
  Tabloid: ['11in', '17in'],
} as const;

type PaperName = keyof typeof papers;

/** The smallest paper of Chromium, CSS pixels. */
const leastPaper = 16;

const margin = length(0);

/** The highest page number, more than any document has. */
const lastPage = 100_000;

function pageRangesFault(text: string): string | null {
  for (const part of text.split(',')) {
    const [, first, last = first] = /^\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?$/.exec(part) ?? [];
    if (first === undefined) return 'must be pages and ranges of them, such as 1-3,5';
    if (Number(first) < 1 || Number(last) > lastPage) return `must name pages from 1 to ${lastPage}`;
    if (Number(first) > Number(last)) return `has a range that ends before it begins: ${part.trim()}`;
  }
  return null;
}

const template = (place: string) =>
  textOfAtMost(100)
    .optional()
    .meta({
      description: `HTML at the ${place} of each page, up to 100 kB; Chromium fills in elements of the classes \`pageNumber\`, \`totalPages\`, \`title\`, \`date\`, \`url\`. It lies in the margin, which must leave room for it.`,
      example: '<div style="font-size: 8px">Page <span class="pageNumber"></span></div>',
    });

/** The options of a PDF, in addition to the options of its page. */
export const pdfFields = {
  paper: z
    .enum(Object.keys(papers) as [PaperName])
    .optional()
    .meta({
      description: 'Paper size; cannot be combined with `paper_width` and `paper_height`.',
      default: 'A4',
      example: 'Letter',
    }),
  paper_width: length(leastPaper).optional().meta({
    description: 'Paper width, 16px to 200in; the width of A4 if only the height is set.',
    unit: 'mm, cm, in or px',
    example: '8.5in',
  }),
  paper_height: length(leastPaper).optional().meta({
    description: 'Paper height, 16px to 200in; the height of A4 if only the width is set.',
    unit: 'mm, cm, in or px',
    example: '300mm',
  }),
  margin: z
    .union(
      [
        margin,
        z.strictObject({
          top: margin.default('0'),
          right: margin.default('0'),
          bottom: margin.default('0'),
          left: margin.default('0'),
        }),
      ],
      { error: 'must be a length such as 10mm, or an object of top, right, bottom and left' },
    )
    .default('0')
    .meta({
      description: 'One margin for all sides, or one per side; an omitted side is 0.',
      unit: 'mm, cm, in or px',
      example: { top: '20mm', bottom: '20mm' },
    }),
  landscape: z.boolean().default(false).meta({ description: 'Landscape orientation.', example: true }),
  prefer_css_page_size: z.boolean().default(false).meta({
    description: 'Use the page size of the page’s `@page` rules, if any, instead of `paper`.',
    example: true,
  }),
  single_page: z.boolean().default(false).meta({
    description: 'Print everything on one long page.',
    example: true,
  }),
  outline: z.boolean().default(false).meta({
    description: 'Add bookmarks from the headings.',
    example: true,
  }),
  print_background: z.boolean().default(true).meta({
    description: 'Print background colours and images.',
    example: false,
  }),
  tagged: z.boolean().default(true).meta({
    description: 'Produce a tagged (accessible) PDF.',
    example: false,
  }),
  scale: z.number().min(0.1).max(2).default(1).meta({
    description: 'Scale of the content.',
    example: 0.8,
  }),
  page_ranges: z
    .string()
    .max(1_000)
    .superRefine((text, context) => {
      const fault = pageRangesFault(text);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    })
    .optional()
    .meta({ description: 'Pages to print; default all.', example: '1-3,5' }),
  header_html: template('top'),
  footer_html: template('bottom'),
};

type PdfGiven = z.output<z.ZodObject<typeof pdfFields>>;

/** The width and height of a page after rotation, CSS pixels. */
function resolvePaper({ paper = 'A4', paper_width, paper_height, landscape }: PdfGiven): {
  width: number;
  height: number;
} {
  const [paperWidth, paperHeight] = papers[paper];
  const width = toPixels(paper_width ?? paperWidth);
  const height = toPixels(paper_height ?? paperHeight);
  return landscape ? { width: height, height: width } : { width, height };
}

/** The margins in CSS pixels. */
function resolveMargins({ margin: given }: PdfGiven): { top: number; right: number; bottom: number; left: number } {
  const { top, right, bottom, left } =
    typeof given === 'object' ? given : { top: given, right: given, bottom: given, left: given };
  return { top: toPixels(top), right: toPixels(right), bottom: toPixels(bottom), left: toPixels(left) };
}

export function checkPdf(given: PdfGiven, fault: AddFault): void {
  for (const name of ['paper_width', 'paper_height'] as const) {
    if (given[name] !== undefined && given.paper !== undefined) fault(name, 'cannot be combined with paper');
  }
  const { width, height } = resolvePaper(given);
  const { top, right, bottom, left } = resolveMargins(given);
  if (left + right >= width || top + bottom >= height) fault('margin', 'leaves no room on the paper');
}

/** Fills in the options of a PDF: `paper_size` and `margins` replace the options that they are computed from. */
export function fillPdf<Asked extends PdfGiven>(given: Asked) {
  const { paper: _paper, paper_width: _width, paper_height: _height, margin: _margin, ...others } = given;
  return { ...others, paper_size: resolvePaper(given), margins: resolveMargins(given) };
}
