import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, mark, prints, shows } from '../expectations.ts';

/** Documents and tables: KaTeX, MathJax, highlighters, reveal.js, VitePress markup, DataTables, Tabulator, AG Grid. */
export const documents: Case[] = cases('libraries', 'libraries/documents', {
  'katex-viewport': {
    expect: [shows('#ff00aa', 30_000), shows('#2962ff', 150_000)],
    what: 'Two rules that are set by KaTeX.',
  },
  'katex-pdf': {
    expect: prints({ lacks: ['textcolor'], marks: [mark('#ff00aa', 15_000)] }),
    what: 'Formulas are printed, not their source.',
  },
  'mathjax-viewport': {
    expect: [shows('#00c853', 9_000), shows('#aa00ff', 50_000)],
    what: 'Two rules that are set by MathJax, which loads its parts by itself.',
  },
  'code-full': {
    expect: [blocks('#ffd600', 2), shows('#00b8d4', 3_000)],
    what: 'Keywords and strings are coloured by highlight.js and Prism.',
  },
  'reveal-viewport': { expect: [shows('#2962ff', 850_000)], what: 'The first slide.' },
  'reveal-pdf': {
    page: 'reveal.html?print-pdf',
    options: { prefer_css_page_size: true },
    expect: prints({
      pages: { least: 4, most: 6 },
      text: ['QUARTERLY REVIEW', 'REVENUE DOUBLED', 'APPENDIX ON RENTS'],
      marks: [mark('#2962ff', 300_000), mark('#ffd600', 300_000)],
    }),
    what: 'A page for each slide, with its background.',
  },
  'docs-full': {
    expect: [
      blocks('#2962ff', 1),
      blocks('#00c853', 10),
      blocks('#ff6d00', 1),
      fills('#aa00ff', [0, -100, 1_280, 100], 0.99),
      hides('#d50000'),
    ],
    what: 'A documentation page with its bars once, its footer, and details closed.',
  },
  'docs-element': {
    options: { selector: '#main' },
    expect: [blocks('#00c853', 10), hides('#2962ff')],
    what: 'The text without the bar over it.',
  },
  'docs-pdf': {
    expect: prints({ text: ['Step 1', 'Step 10'], marks: [mark('#00c853', 100_000)] }),
    what: 'All ten steps are printed.',
  },
  'datatables-viewport': { expect: [shows('#ff00aa', 60_000)], what: 'Ten rows that come after 0.9 s.' },
  'datatables-pdf': {
    expect: prints({ text: ['Aino Berg', 'Showing 1 to 10 of 15'], lacks: ['Loading'] }),
    what: 'Ten rows are printed.',
  },
  'tables-full': {
    expect: [blocks('#00c853', 6), shows('#ff6d00', 80_000)],
    what: 'A Tabulator and an AG Grid with the rows that they fetch.',
  },
});
