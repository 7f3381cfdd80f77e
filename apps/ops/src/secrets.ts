import type { Command } from 'commander';
import type { Surroundings } from './environment.ts';
import { withExamples } from './examples.ts';
import { exitCodes } from './exit-codes.ts';
import type { Platform } from './find-platform.ts';
import { callOperatorApi } from './operator-api.ts';
import { startBar } from './progress-bar.ts';

/** The stored secrets, counted by the key that decrypts them. */
export interface EncryptedCount {
  previous_key_set: boolean;
  current: number;
  previous: number;
  unreadable: number;
}

interface Step {
  reencrypted: number;
  unreadable: number;
  next_cursor: string | null;
}

export function addSecretCommands(program: Command, { platform, printer }: Surroundings): void {
  const secrets = program.command('secrets').description('rotate the key that encrypts stored secrets');
  withExamples(secrets, ['secrets reencrypt --dry-run', 'secrets reencrypt']);

  withExamples(
    secrets.command('reencrypt'),
    ['secrets reencrypt --dry-run', 'secrets reencrypt'],
    'It can be interrupted and repeated. Every process of the platform must have both keys first: docs/secrets.md.',
  )
    .description('re-encrypt with SECRET_KEY all secrets that SECRET_KEY_PREVIOUS encrypted, while the platform runs')
    .option('--dry-run', 'only count')
    .action(async (options: { dryRun?: true }) => {
      const before = await callOperatorApi<EncryptedCount>(platform(), 'GET', '/secrets');
      const reencrypted = options.dryRun ? 0 : await reencrypt(platform(), before.previous);
      const after = options.dryRun ? before : await callOperatorApi<EncryptedCount>(platform(), 'GET', '/secrets');
      const facts = { reencrypted, ...after };
      printer().fact(describeCounts(facts).join('\n'), facts);
      if (after.unreadable > 0 || (!options.dryRun && after.previous > 0)) process.exitCode = exitCodes.failed;
    });
}

async function reencrypt(platform: Platform, expected: number): Promise<number> {
  const bar = startBar(expected, '{bar} {percentage}% | {value} of {total} re-encrypted');
  try {
    let reencrypted = 0;
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const body: { cursor?: string } = cursor === undefined ? {} : { cursor };
      const step: Step = await callOperatorApi(platform, 'POST', '/secrets/reencrypt', body);
      reencrypted += step.reencrypted;
      bar.update(reencrypted);
      cursor = step.next_cursor;
    }
    return reencrypted;
  } finally {
    bar.stop();
  }
}

function describeCounts({
  reencrypted,
  previous_key_set,
  current,
  previous,
  unreadable,
}: EncryptedCount & { reencrypted: number }) {
  const sentences = [
    `${reencrypted} re-encrypted; under SECRET_KEY: ${current}, under SECRET_KEY_PREVIOUS: ${previous}`,
  ];
  if (unreadable > 0) sentences.push(`${unreadable} need a key that is no longer set: set it as SECRET_KEY_PREVIOUS`);
  if (!previous_key_set) sentences.push('SECRET_KEY_PREVIOUS is not set: no rotation is in progress');
  else if (previous > 0) sentences.push('SECRET_KEY_PREVIOUS is still needed');
  else {
    sentences.push(
      'No stored secret needs SECRET_KEY_PREVIOUS. Removing it ends sessions and file links from before the rotation: docs/secrets.md',
    );
  }
  return sentences;
}
