import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './accounts.ts';
import { addDeliveryCommands } from './deliveries.ts';
import { findPlatform, UsageError } from './find-platform.ts';
import { OperatorApiError } from './operator-api.ts';
import { createPrinter } from './print.ts';
import { addQueueCommand } from './queues.ts';
import { addSecretCommands } from './secrets.ts';

/** Exit codes: 0 done, 1 the platform refused or does not answer, 2 the call itself is wrong. */
const program = new Command('npm run ops --')
  .description(
    "The operator's command line. It finds the platform through PORT, PUBLIC_URL, OPERATOR_KEY and DATA_DIR.",
  )
  .option('--json', 'print JSON instead of tables')
  .showHelpAfterError()
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  npm run ops -- accounts list
  npm run ops -- accounts set-plan ada@example.com pro
  npm run ops -- --json accounts list --email ada@example.com
  npm run ops -- deliveries list --status failed --since 24h
  npm run ops -- deliveries replay --since 6h
  npm run ops -- secrets reseal --dry-run
  npm run ops -- queues`,
  );

for (const addCommands of [addAccountCommands, addDeliveryCommands, addSecretCommands, addQueueCommand]) {
  addCommands(
    program,
    () => findPlatform(process.env),
    () => createPrinter(program.opts().json === true, (text) => process.stdout.write(text)),
  );
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else if (error instanceof UsageError || error instanceof OperatorApiError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  } else {
    throw error;
  }
}
