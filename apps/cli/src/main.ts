#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { CaptureConnectionError, CaptureError } from '@capture-platform/sdk/errors';
import { Command, CommanderError } from 'commander';
import { captureListCommand } from './commands/capture-list.ts';
import { captureOneCommand } from './commands/capture-one.ts';
import { linkCommand } from './commands/link.ts';
import { loginCommand } from './commands/login.ts';
import { mcpCommand } from './commands/mcp.ts';
import { presetCommand } from './commands/preset.ts';
import { PlatformError } from './embedded/platform-process.ts';
import { exitCodes } from './exit-codes.ts';
import { type Kind, kinds } from './options/capture-option.ts';
import { Interrupted, openSession } from './session.ts';
import { UsageError } from './usage-error.ts';

// The reader may close the pipe, as `head` does.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : exitCodes.failed));
process.stderr.on('error', () => {});

// package.json is in the parent folder of both dist and src.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const session = openSession((line) => process.stderr.write(`${line}\n`));

const program = new Command('capture')
  .description(
    'Capture web pages as screenshots, PDFs and social images: one URL into a file, or a list into a folder.',
  )
  .version(version)
  .showHelpAfterError('(see --help)')
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  capture screenshot https://example.com --full-page -o example.png
  capture pdf https://example.com --paper A4 --margin 15mm
  capture list urls.txt --out captures --format webp
  capture list https://example.com/sitemap.xml --out captures --server https://captures.example.com

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.`,
  );
for (const kind of Object.keys(kinds) as Kind[]) program.addCommand(captureOneCommand(kind, session));
program
  .addCommand(captureListCommand(session))
  .addCommand(presetCommand(session))
  .addCommand(loginCommand(session))
  .addCommand(linkCommand(session))
  .addCommand(mcpCommand(session));
for (const command of program.commands) {
  command.copyInheritedSettings(program);
  for (const part of command.commands) part.copyInheritedSettings(program);
}

/** Returns the line to print for an error, if any, and the exit code. */
function describeError(error: unknown): { line?: string; code: number } {
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? exitCodes.done : exitCodes.usage };
  if (session.signal.aborted || error instanceof Interrupted) return { code: exitCodes.interrupted };
  if (error instanceof UsageError) return { line: error.message, code: exitCodes.usage };
  if (error instanceof CaptureError) {
    const isUsage = error.status === 400;
    return { line: `${error.message} (${error.errorCode})`, code: isUsage ? exitCodes.usage : exitCodes.failed };
  }
  if (error instanceof CaptureConnectionError || error instanceof PlatformError) {
    return { line: error.message, code: exitCodes.failed };
  }
  const { code, message } = error as NodeJS.ErrnoException;
  // The system's message explains a full disk or a missing folder.
  if (code !== undefined) return { line: message, code: exitCodes.failed };
  return { line: String((error as Error).stack ?? error), code: exitCodes.failed };
}

try {
  await program.parseAsync();
} catch (error) {
  const { line, code } = describeError(error);
  if (line !== undefined) process.stderr.write(`${line}\n`);
  process.exitCode = code;
}
