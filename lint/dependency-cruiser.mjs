// Which folder may import which. `npm run lint` checks it.
//
// A folder under `src` is a room. Rooms of one package import each other in one direction only; the files that put a
// process together (`composition`) may import every room of theirs, and no room imports them.

/** Files that wire the rooms of their package together. */
const composition =
  '^(apps|tools)/[^/]+/src/(main|app|create-dependencies|route-table|print-openapi|program|run|platform)\\.ts$';

/** Tests may import anything. */
const tests = '\\.test\\.tsx?$|\\.test-support\\.(ts|mjs)$|/test-[^/]+\\.ts$|-suite\\.ts$';

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that import each other cannot be read, tested or changed one at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'rooms-import-one-way',
      comment: 'Two folders that import each other are one folder. Move what both need to the lower one.',
      severity: 'error',
      scope: 'folder',
      from: { path: '/src/' },
      to: { circular: true },
    },
    {
      name: 'apps-stay-apart',
      comment: 'Apps meet in packages/ and in the database.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'packages-import-packages-only',
      comment: 'Packages serve apps and tools; they know none of them.',
      severity: 'error',
      from: { path: '^(packages|prisma)/' },
      to: { path: '^(apps|tools)/' },
    },
    {
      name: 'composition-is-the-top',
      comment: 'Rooms get what they need as arguments from the files that put the process together.',
      severity: 'error',
      from: { path: '^(apps|tools)/[^/]+/src/', pathNot: composition },
      to: { path: composition },
    },
    {
      name: 'page-scripts-run-in-pages',
      comment: 'What runs in a page knows no Node and no package of ours but for types, which are erased.',
      severity: 'error',
      from: { path: '^packages/page-scripts/src/(world|document-start)' },
      to: {
        path: '^(apps|tools|packages)/|^(node:)?(fs|path|url|crypto)',
        pathNot: '^packages/(contract/|page-scripts/src/(world|document-start))',
      },
    },
    {
      name: 'no-test-code-in-production',
      comment: 'packages/testing starts servers and seeds faults.',
      severity: 'error',
      from: { path: '^(apps|packages|prisma)/', pathNot: '^packages/testing/' },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      // The peers of the benchmark are installed at run time.
      to: {
        couldNotResolve: true,
        pathNot: [
          '\\.css$',
          '^@capture-platform/sdk',
          '^vite',
          '^browserless$',
          '^capture-website$',
          '^puppeteer-cluster$',
        ],
      },
    },
  ],
  options: {
    parser: 'swc',
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // Biome looks for cycles in the dashboard: swc parses no TSX here.
    exclude: { path: ['(^|/)dist/', '/generated/', '^apps/dashboard/', tests] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
