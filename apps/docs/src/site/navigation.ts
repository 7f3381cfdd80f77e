/** The guides by section, as paths below `docs`. A test requires that every document is in the list. */
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

export const about = {
  title: 'About',
  guides: ['architecture', 'security', 'benchmarks', 'performance', 'chaos', 'known-issues', 'glossary', 'changelog'],
};

/** Guides outside `docs`, by their name: paths from `docs`. */
export const elsewhere: ReadonlyMap<string, string> = new Map([
  ['security', '../SECURITY.md'],
  ['changelog', '../CHANGELOG.md'],
]);

export interface Link {
  path: string;
  title: string;
  /** The method of an operation. */
  method?: string;
}

/** The navigation: sections with their pages. */
export type Navigation = { title: string; links: Link[] }[];
