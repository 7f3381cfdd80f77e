import { type Command, Option } from 'commander';
import type { Surroundings } from '../environment.ts';
import { withExamples } from '../examples.ts';
import { parseMoment } from '../moment.ts';
import type { ExportOptions } from './run-export.ts';

export function addExportCommand(program: Command, surroundings: Surroundings): void {
  withExamples(
    program.command('export'),
    [
      'export /exports',
      'export /exports --only captures batches',
      'export /exports --since 2026-11-01T00:00:00Z --until 2026-12-01T00:00:00Z',
      'export - --since 24h | jq .url',
    ],
    'A file has the records of one day (UTC) and table, one JSON object per line; a complete file is not written again. So a\nfolder gets whole days only: today is left out until it is over. Standard output has the exact range. Secrets and the\nbodies of events are left out.',
  )
    .description(
      'write captures, batches, deliveries and attempts as JSON lines, by default those that will be deleted soon',
    )
    .argument('<folder>', 'where files are added, or - for standard output')
    .addOption(
      new Option('--since <time>', 'created at or after; in a folder, from the start of that day (UTC)').argParser(
        toMoment,
      ),
    )
    .addOption(
      new Option(
        '--until <time>',
        'created before; by default now with --since, otherwise the end of what is deleted within a week',
      ).argParser(toMoment),
    )
    .addOption(
      new Option('--only <tables...>', 'only these').choices(['captures', 'batches', 'deliveries', 'attempts']),
    )
    .action(async (folder: string, options: ExportOptions) => {
      // The implementation is loaded on demand, because loading it takes longer than running other commands.
      const { runExport } = await import('./run-export.ts');
      await runExport(surroundings, folder, options);
    });
}

const toMoment = (text: string) => parseMoment(text);
