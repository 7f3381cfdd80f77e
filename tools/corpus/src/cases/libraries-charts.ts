import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, mark, prints, shows } from '../expectations.ts';

/** Charts, maps and canvases. */
export const charts: Case[] = cases('libraries', 'libraries/charts', {
  'chartjs-viewport': { expect: [shows('#2962ff', 380_000)], what: 'Bars at the end of an animation of 2 s.' },
  'chartjs-full': {
    expect: [shows('#2962ff', 380_000), shows('#ff00aa', 65_000), shows('#00c853', 28_000)],
    what: 'The doughnut too, which is drawn when it comes into view.',
  },
  'chartjs-element': {
    options: { selector: '#regions' },
    expect: [shows('#ff00aa', 65_000)],
    what: 'The doughnut alone.',
  },
  'chartjs-pdf': { expect: prints({ marks: [mark('#2962ff', 150_000)] }), what: 'The bars are printed as they end.' },
  'chartjs-grid-pdf': {
    expect: prints({ marks: [mark('#ff00aa', 30_000, 40_000), mark('#00c853', 30_000, 40_000)] }),
    what: 'Both halves of a pie in a grid, whose cells get as narrow as the paper.',
  },
  'echarts-full': {
    expect: [shows('#ff6d00', 220_000), shows('#00b8d4', 220_000), shows('#aa00ff', 220_000)],
    what: 'Canvas, SVG, and a chart that waits for its data for 1.2 s.',
  },
  'echarts-pdf': {
    expect: prints({ marks: [mark('#ff6d00', 80_000), mark('#aa00ff', 80_000)] }),
    what: 'Three charts are printed.',
  },
  'd3-viewport': {
    expect: [shows('#00c853', 310_000), hides('#aa00ff')],
    what: 'Bars that have grown and then changed their colour, 2.7 s in all.',
  },
  'd3-og': { expect: [shows('#00c853', 310_000)], what: 'The same as an OG image.' },
  'apexcharts-full': {
    expect: [shows('#ff00aa', 200_000), shows('#2962ff', 120_000)],
    what: 'Two charts, one of which gets its series after 0.9 s.',
  },
  'plotly-full': {
    expect: [shows('#2962ff', 280_000), shows('#ff6d00', 25_000), shows('#00c853', 25_000)],
    what: 'Bars and a pie from a library that is loaded async.',
  },
  'three-viewport': {
    expect: [shows('#2962ff', 650_000), shows('#ff00aa', 60_000)],
    what: 'A WebGL scene whose texture comes after 0.7 s.',
  },
  'three-full': { expect: [shows('#ff00aa', 60_000), shows('#ff6d00', 110_000)], what: 'The scene above the list.' },
  'three-pdf': { expect: prints({ marks: [mark('#ff00aa', 10_000)] }), what: 'The scene is printed.' },
  'leaflet-viewport': {
    expect: [shows('#00c853', 470_000), shows('#d500f9', 6_000)],
    what: 'All tiles of a map, 0.6 s each, with a marker.',
  },
  'leaflet-og': { expect: [shows('#00c853', 430_000), shows('#d500f9', 6_000)], what: 'The map as an OG image.' },
  'leaflet-full': {
    expect: [shows('#00c853', 470_000), shows('#d500f9', 6_000), shows('#ff6d00', 500_000)],
    what: 'Two maps.',
  },
  'leaflet-element': {
    options: { selector: '#second' },
    expect: [shows('#ff6d00', 500_000), { size: { height: 480 } }],
    what: 'The second map.',
  },
  'maplibre-viewport': {
    expect: [shows('#2962ff', 500_000), shows('#ffd600', 76_000)],
    what: 'Land on the sea, at the end of a flight of a second.',
  },
  'maplibre-full': {
    expect: [shows('#ffd600', 76_000), shows('#aa00ff', 380_000), shows('#00c853', 76_000)],
    what: 'Two WebGL maps.',
  },
  'maplibre-pdf': {
    expect: prints({ marks: [mark('#ffd600', 10_000), mark('#00c853', 10_000)] }),
    what: 'Both maps are printed.',
  },
  'mermaid-full': {
    expect: [shows('#ff00aa', 12_000), blocks('#2962ff', 2)],
    what: 'Two diagrams in place of their text.',
  },
  'mermaid-pdf': {
    expect: prints({ text: ['Fix', 'Director'], lacks: ['flowchart'], marks: [mark('#ff00aa', 5_000)] }),
    what: 'Diagrams are printed, not their source.',
  },
  'particles-viewport': {
    expect: [fills('#ff6d00', [320, 300, 640, 100], 0.8), shows('#00c853', 10_000)],
    what: 'A notice that has faded in over particles that never rest.',
  },
});
