import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { optionTable } from '../generated/option-table.ts';
import { UsageError, unreadable } from '../usage-error.ts';
import type { CaptureOption, Kind } from './capture-option.ts';
import { readJson, readValue } from './read-value.ts';

/** Options of a capture by their API names. */
export type OptionValues = Record<string, unknown>;

const group = 'Capture options (see the API reference):';

/** Returns the options of these kinds, each name once. */
export function optionsOf(kinds: readonly Kind[]): CaptureOption[] {
  const byName = new Map<string, CaptureOption>();
  for (const option of optionTable) {
    if (option.kinds.some((kind) => kinds.includes(kind)) && !byName.has(option.name)) byName.set(option.name, option);
  }
  return [...byName.values()];
}

/**
 * Adds a flag for each option of these kinds, and two flags that take any option by its name: for long or confidential values,
 * and for options of newer servers.
 *
 * @returns a function that reads the options once the command line is parsed.
 */
export function addOptionFlags(command: Command, kinds: readonly Kind[]): () => OptionValues {
  const options = optionsOf(kinds);
  for (const option of options) addFlag(command, option);
  command
    .addOption(
      new Option('--option <name=json>', 'any option by name, with its value as JSON; may be repeated')
        .argParser(collect)
        .helpGroup(group),
    )
    .addOption(
      new Option(
        '--option-file <name=path>',
        'any option with its value in a file, which keeps it out of the process list',
      )
        .argParser(collect)
        .helpGroup(group),
    );

  return () => {
    const flags = command.opts();
    const values: OptionValues = {};
    for (const option of options) {
      const value: unknown = flags[camelCase(option.name)];
      if (typeof value === 'boolean') values[option.name] = value;
      else if (value !== undefined) values[option.name] = readValue(option, value as string[], flagOf(option.name));
    }
    for (const text of (flags.option ?? []) as string[]) {
      const [name, value] = splitPair(text, '--option');
      values[name] = readJson(value, `--option ${name}`);
    }
    for (const text of (flags.optionFile ?? []) as string[]) {
      const [name, file] = splitPair(text, '--option-file');
      values[name] = readOptionFile(options, name, file);
    }
    return values;
  };
}

/** Returns the flag of an option: `--full-page` for `full_page`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

function addFlag(command: Command, option: CaptureOption): void {
  const flag = flagOf(option.name);
  if (option.form === 'boolean') {
    const isOn = option.default === 'true';
    const positive = new Option(flag, option.description).helpGroup(group);
    const negative = new Option(flag.replace('--', '--no-'), `Turns off ${flag}: ${option.description}`).helpGroup(
      group,
    );
    // Both flags exist, to override a line of a list or a newer default. The help shows the flag that changes the default.
    command.addOption(positive.hideHelp(isOn)).addOption(negative.hideHelp(!isOn));
    return;
  }
  const { choices, form, description } = option;
  const listed = choices?.join('|') ?? '';
  const isShort = listed.length <= longestPlaceholder;
  const value = choices && isShort ? listed : placeholder(option);
  const help = [
    description,
    choices && !isShort ? `One of ${choices.join(', ')}.` : '',
    form === 'list' ? '(may be repeated)' : '',
    option.default === undefined ? '' : `(default: ${option.default})`,
  ];
  const added = new Option(`${flag} <${value}>`, help.filter(Boolean).join(' '));
  command.addOption(added.argParser(collect).helpGroup(group));
}

/** The maximum width of a flag's choices in the help. */
const longestPlaceholder = 20;

function placeholder({ form, orText }: CaptureOption): string {
  if (form === 'json') return orText ? 'text|json' : 'json';
  return form === 'number' ? 'number' : 'text';
}

function collect(text: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), text];
}

function splitPair(text: string, flag: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${flag} needs a name and a value, such as ${flag} delay_ms=500`);
  return [text.slice(0, at).replaceAll('-', '_'), text.slice(at + 1)];
}

function readOptionFile(options: readonly CaptureOption[], name: string, file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
  const option = options.find((each) => each.name === name);
  const shown = `the file of --option-file ${name}`;
  // This option of a newer server is JSON if it looks like JSON, else text.
  if (!option) return /^\s*[[{"\d]/.test(text) ? readJson(text, shown) : text;
  return readValue(option, [option.form === 'text' ? text : text.trim()], shown);
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
