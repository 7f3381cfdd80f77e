// Writes the table of options that the command line's flags are made of: `npm run generate -w @capture/cli`. The table is
// part of the package, so that `--help` needs no server and the package no schemas; a test says when it is out of date.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeOptions } from './describe-options.ts';

const file = path.join(import.meta.dirname, '..', '..', 'src', 'options', 'option-table.generated.ts');

writeFileSync(
  file,
  `// Made by \`npm run generate -w @capture/cli\` from packages/contract: change the schemas there, not this.
import type { CaptureOption } from './capture-option.ts';

/** Every option of the API that is a flag. */
export const optionTable: readonly CaptureOption[] = ${JSON.stringify(describeOptions(), null, 2)};
`,
);
