/** The guides by section, as paths below `docs`. A test requires that every document is in it. */
export const sections: readonly { title: string; guides: readonly string[] }[] = [
  {
    title: 'Start',
    guides: [
      'guides/first-screenshot',
      'guides/batch-from-csv',
      'guides/webhook-receiver',
      'guides/files-in-s3',
      'guides/upgrade-and-backup',
    ],
  },
  {
    title: 'Use',
    guides: [
      'captures',
      'content',
      'outputs',
      'links',
      'batches',
      'presets',
      'webhooks',
      'limits',
      'errors',
      'sdk',
      'cli',
      'agents',
      'dashboard',
      'sign-in',
      'migration',
    ],
  },
  {
    title: 'Operate',
    guides: [
      'deployment',
      'settings',
      'secrets',
      'egress',
      'scaling',
      'monitoring',
      'tracing',
      'operations',
      'runbook',
      'backup',
      'upgrade',
    ],
  },
];

/** The guides that come after the API reference. */
export const about = {
  title: 'About',
  guides: ['architecture', 'security', 'benchmarks', 'performance', 'chaos', 'known-issues', 'glossary', 'changelog'],
};

/** Guides that are not in `docs`, by their name: paths from there. */
export const elsewhere: ReadonlyMap<string, string> = new Map([
  ['security', '../SECURITY.md'],
  ['changelog', '../CHANGELOG.md'],
]);

export interface Link {
  path: string;
  title: string;
  /** Of an operation. */
  method?: string;
}

/** What the navigation shows: sections with their pages. */
export type Navigation = { title: string; links: Link[] }[];
