import type { Case } from '../case.ts';

const group = 'libraries';

/** Charts, maps and canvases. */
export const charts: Case[] = [
  {
    name: 'chartjs-viewport',
    group,
    page: '/pages/libraries/charts/chartjs.html',
    expect: [{ whole: '#2962ff', pixels: { least: 380_000 } }],
    what: 'Bars at the end of an animation of 2 s.',
  },
  {
    name: 'chartjs-full',
    group,
    page: '/pages/libraries/charts/chartjs.html',
    options: { full_page: true },
    expect: [
      { whole: '#2962ff', pixels: { least: 380_000 } },
      { whole: '#ff00aa', pixels: { least: 65_000 } },
      { whole: '#00c853', pixels: { least: 28_000 } },
    ],
    what: 'The doughnut too, which is drawn when it comes into view.',
  },
  {
    name: 'chartjs-element',
    group,
    page: '/pages/libraries/charts/chartjs.html',
    options: { selector: '#regions' },
    expect: [{ whole: '#ff00aa', pixels: { least: 65_000 } }],
    what: 'The doughnut alone.',
  },
  {
    name: 'chartjs-pdf',
    group,
    page: '/pages/libraries/charts/chartjs.html',
    kind: 'pdf',
    expect: [{ pdf: { marks: [{ colour: '#2962ff', least: 150_000 }] } }],
    what: 'The bars are printed as they end.',
  },
  {
    name: 'chartjs-grid-pdf',
    group,
    page: '/pages/libraries/charts/chartjs-grid.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          marks: [
            { colour: '#ff00aa', least: 30_000, most: 40_000 },
            { colour: '#00c853', least: 30_000, most: 40_000 },
          ],
        },
      },
    ],
    what: 'Both halves of a pie in a grid, whose cells get as narrow as the paper.',
  },
  {
    name: 'echarts-full',
    group,
    page: '/pages/libraries/charts/echarts.html',
    options: { full_page: true },
    expect: [
      { whole: '#ff6d00', pixels: { least: 220_000 } },
      { whole: '#00b8d4', pixels: { least: 220_000 } },
      { whole: '#aa00ff', pixels: { least: 220_000 } },
    ],
    what: 'Canvas, SVG, and a chart that waits for its data for 1.2 s.',
  },
  {
    name: 'echarts-pdf',
    group,
    page: '/pages/libraries/charts/echarts.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          marks: [
            { colour: '#ff6d00', least: 80_000 },
            { colour: '#aa00ff', least: 80_000 },
          ],
        },
      },
    ],
    what: 'Three charts are printed.',
  },
  {
    name: 'd3-viewport',
    group,
    page: '/pages/libraries/charts/d3.html',
    expect: [
      { whole: '#00c853', pixels: { least: 310_000 } },
      { whole: '#aa00ff', pixels: { most: 0 } },
    ],
    what: 'Bars that have grown and then changed their colour, 2.7 s in all.',
  },
  {
    name: 'd3-og',
    group,
    page: '/pages/libraries/charts/d3.html',
    kind: 'og_image',
    expect: [{ whole: '#00c853', pixels: { least: 310_000 } }],
    what: 'The same as an OG image.',
  },
  {
    name: 'apexcharts-full',
    group,
    page: '/pages/libraries/charts/apexcharts.html',
    options: { full_page: true },
    expect: [
      { whole: '#ff00aa', pixels: { least: 200_000 } },
      { whole: '#2962ff', pixels: { least: 120_000 } },
    ],
    what: 'Two charts, one of which gets its series after 0.9 s.',
  },
  {
    name: 'plotly-full',
    group,
    page: '/pages/libraries/charts/plotly.html',
    options: { full_page: true },
    expect: [
      { whole: '#2962ff', pixels: { least: 280_000 } },
      { whole: '#ff6d00', pixels: { least: 25_000 } },
      { whole: '#00c853', pixels: { least: 25_000 } },
    ],
    what: 'Bars and a pie from a library that is loaded async.',
  },
  {
    name: 'three-viewport',
    group,
    page: '/pages/libraries/charts/three.html',
    expect: [
      { whole: '#2962ff', pixels: { least: 650_000 } },
      { whole: '#ff00aa', pixels: { least: 60_000 } },
    ],
    what: 'A WebGL scene whose texture comes after 0.7 s.',
  },
  {
    name: 'three-full',
    group,
    page: '/pages/libraries/charts/three.html',
    options: { full_page: true },
    expect: [
      { whole: '#ff00aa', pixels: { least: 60_000 } },
      { whole: '#ff6d00', pixels: { least: 110_000 } },
    ],
    what: 'The scene above the list.',
  },
  {
    name: 'three-pdf',
    group,
    page: '/pages/libraries/charts/three.html',
    kind: 'pdf',
    expect: [{ pdf: { marks: [{ colour: '#ff00aa', least: 10_000 }] } }],
    what: 'The scene is printed.',
  },
  {
    name: 'leaflet-viewport',
    group,
    page: '/pages/libraries/charts/leaflet.html',
    expect: [
      { whole: '#00c853', pixels: { least: 470_000 } },
      { whole: '#d500f9', pixels: { least: 6_000 } },
    ],
    what: 'All tiles of a map, 0.6 s each, with a marker.',
  },
  {
    name: 'leaflet-og',
    group,
    page: '/pages/libraries/charts/leaflet.html',
    kind: 'og_image',
    expect: [
      { whole: '#00c853', pixels: { least: 430_000 } },
      { whole: '#d500f9', pixels: { least: 6_000 } },
    ],
    what: 'The map as an OG image.',
  },
  {
    name: 'leaflet-full',
    group,
    page: '/pages/libraries/charts/leaflet.html',
    options: { full_page: true },
    expect: [
      { whole: '#00c853', pixels: { least: 470_000 } },
      { whole: '#d500f9', pixels: { least: 6_000 } },
      { whole: '#ff6d00', pixels: { least: 500_000 } },
    ],
    what: 'Two maps.',
  },
  {
    name: 'leaflet-element',
    group,
    page: '/pages/libraries/charts/leaflet.html',
    options: { selector: '#second' },
    expect: [{ whole: '#ff6d00', pixels: { least: 500_000 } }, { size: { height: 480 } }],
    what: 'The second map.',
  },
  {
    name: 'maplibre-viewport',
    group,
    page: '/pages/libraries/charts/maplibre.html',
    expect: [
      { whole: '#2962ff', pixels: { least: 500_000 } },
      { whole: '#ffd600', pixels: { least: 76_000 } },
    ],
    what: 'Land on the sea, at the end of a flight of a second.',
  },
  {
    name: 'maplibre-full',
    group,
    page: '/pages/libraries/charts/maplibre.html',
    options: { full_page: true },
    expect: [
      { whole: '#ffd600', pixels: { least: 76_000 } },
      { whole: '#aa00ff', pixels: { least: 380_000 } },
      { whole: '#00c853', pixels: { least: 76_000 } },
    ],
    what: 'Two WebGL maps.',
  },
  {
    name: 'maplibre-pdf',
    group,
    page: '/pages/libraries/charts/maplibre.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          marks: [
            { colour: '#ffd600', least: 10_000 },
            { colour: '#00c853', least: 10_000 },
          ],
        },
      },
    ],
    what: 'Both maps are printed.',
  },
  {
    name: 'mermaid-full',
    group,
    page: '/pages/libraries/charts/mermaid.html',
    options: { full_page: true },
    expect: [
      { whole: '#ff00aa', pixels: { least: 12_000 } },
      { blocks: '#2962ff', count: 2 },
    ],
    what: 'Two diagrams in place of their text.',
  },
  {
    name: 'mermaid-pdf',
    group,
    page: '/pages/libraries/charts/mermaid.html',
    kind: 'pdf',
    expect: [
      { pdf: { text: ['Fix', 'Director'], lacks: ['flowchart'], marks: [{ colour: '#ff00aa', least: 5_000 }] } },
    ],
    what: 'Diagrams are printed, not their source.',
  },
  {
    name: 'particles-viewport',
    group,
    page: '/pages/libraries/charts/particles.html',
    expect: [
      { area: [320, 300, 640, 100], has: '#ff6d00', least: 0.8 },
      { whole: '#00c853', pixels: { least: 10_000 } },
    ],
    what: 'A notice that has faded in over particles that never rest.',
  },
];
