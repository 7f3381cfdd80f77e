import type { Case } from '../case.ts';

const group = 'libraries';

/** Documents and tables: KaTeX, MathJax, highlighters, reveal.js, VitePress markup, DataTables, Tabulator, AG Grid. */
export const documents: Case[] = [
  {
    name: 'katex-viewport',
    group,
    page: '/pages/libraries/documents/katex.html',
    expect: [
      { whole: '#ff00aa', pixels: { least: 30_000 } },
      { whole: '#2962ff', pixels: { least: 150_000 } },
    ],
    what: 'Two rules that are set by KaTeX.',
  },
  {
    name: 'katex-pdf',
    group,
    page: '/pages/libraries/documents/katex.html',
    kind: 'pdf',
    expect: [{ pdf: { lacks: ['textcolor'], marks: [{ colour: '#ff00aa', least: 15_000 }] } }],
    what: 'Formulas are printed, not their source.',
  },
  {
    name: 'mathjax-viewport',
    group,
    page: '/pages/libraries/documents/mathjax.html',
    expect: [
      { whole: '#00c853', pixels: { least: 9_000 } },
      { whole: '#aa00ff', pixels: { least: 50_000 } },
    ],
    what: 'Two rules that are set by MathJax, which loads its parts by itself.',
  },
  {
    name: 'code-full',
    group,
    page: '/pages/libraries/documents/code.html',
    options: { full_page: true },
    expect: [
      { blocks: '#ffd600', count: 2 },
      { whole: '#00b8d4', pixels: { least: 3_000 } },
    ],
    what: 'Keywords and strings are coloured by highlight.js and Prism.',
  },
  {
    name: 'reveal-viewport',
    group,
    page: '/pages/libraries/documents/reveal.html',
    expect: [{ whole: '#2962ff', pixels: { least: 850_000 } }],
    what: 'The first slide.',
  },
  {
    name: 'reveal-pdf',
    group,
    page: '/pages/libraries/documents/reveal.html?print-pdf',
    kind: 'pdf',
    options: { prefer_css_page_size: true },
    expect: [
      {
        pdf: {
          pages: { least: 4, most: 6 },
          text: ['QUARTERLY REVIEW', 'REVENUE DOUBLED', 'APPENDIX ON RENTS'],
          marks: [
            { colour: '#2962ff', least: 300_000 },
            { colour: '#ffd600', least: 300_000 },
          ],
        },
      },
    ],
    what: 'A page for each slide, with its background.',
  },
  {
    name: 'docs-full',
    group,
    page: '/pages/libraries/documents/docs.html',
    options: { full_page: true },
    expect: [
      { blocks: '#2962ff', count: 1 },
      { blocks: '#00c853', count: 10 },
      { blocks: '#ff6d00', count: 1 },
      { area: [0, -100, 1_280, 100], has: '#aa00ff', least: 0.99 },
      { whole: '#d50000', pixels: { most: 0 } },
    ],
    what: 'A documentation page with its bars once, its footer, and details closed.',
  },
  {
    name: 'docs-element',
    group,
    page: '/pages/libraries/documents/docs.html',
    options: { selector: '#main' },
    expect: [
      { blocks: '#00c853', count: 10 },
      { whole: '#2962ff', pixels: { most: 0 } },
    ],
    what: 'The text without the bar over it.',
  },
  {
    name: 'docs-pdf',
    group,
    page: '/pages/libraries/documents/docs.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Step 1', 'Step 10'], marks: [{ colour: '#00c853', least: 100_000 }] } }],
    what: 'All ten steps are printed.',
  },
  {
    name: 'datatables-viewport',
    group,
    page: '/pages/libraries/documents/datatables.html',
    expect: [{ whole: '#ff00aa', pixels: { least: 60_000 } }],
    what: 'Ten rows that come after 0.9 s.',
  },
  {
    name: 'datatables-pdf',
    group,
    page: '/pages/libraries/documents/datatables.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Aino Berg', 'Showing 1 to 10 of 15'], lacks: ['Loading'] } }],
    what: 'Ten rows are printed.',
  },
  {
    name: 'tables-full',
    group,
    page: '/pages/libraries/documents/tables.html',
    options: { full_page: true },
    expect: [
      { blocks: '#00c853', count: 6 },
      { whole: '#ff6d00', pixels: { least: 80_000 } },
    ],
    what: 'A Tabulator and an AG Grid with the rows that they fetch.',
  },
];
