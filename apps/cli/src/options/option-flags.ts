import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { UsageError } from '../usage-error.ts';
import type { CaptureOption, Kind } from './capture-option.ts';
import { optionTable } from './option-table.generated.ts';
import { readJson, readValue } from './read-value.ts';

/** Options of a capture, by the names of the API. */
export type GivenOptions = Record<string, unknown>;

const group = 'What is captured, and how (the options of the API):';

/** The options of some kinds, each name once. */
export function optionsOf(kinds: readonly Kind[]): CaptureOption[] {
  const byName = new Map<string, CaptureOption>();
  for (const option of optionTable) {
    if (option.kinds.some((kind) => kinds.includes(kind)) && !byName.has(option.name)) byName.set(option.name, option);
  }
  return [...byName.values()];
}

/**
 * Adds a flag for each option of these kinds, and two that take any option by its name: for one whose value is long or
 * confidential, and for one that a newer server has.
 *
 * @returns what reads, once the command line is parsed, all options that were given.
 */
export function addOptionFlags(command: Command, kinds: readonly Kind[]): () => GivenOptions {
  const options = optionsOf(kinds);
  for (const option of options) addFlag(command, option);
  command
    .addOption(
      new Option('--option <name=json>', 'any option by its name, its value as JSON; may be repeated')
        .argParser(collect)
        .helpGroup(group),
    )
    .addOption(
      new Option(
        '--option-file <name=path>',
        'any option, its value read from a file: nobody sees it in a list of processes',
      )
        .argParser(collect)
        .helpGroup(group),
    );

  return () => {
    const flags = command.opts();
    const given: GivenOptions = {};
    for (const option of options) {
      const value: unknown = flags[camelCase(option.name)];
      if (typeof value === 'boolean') given[option.name] = value;
      else if (value !== undefined) given[option.name] = readValue(option, value as string[], flagOf(option.name));
    }
    for (const text of (flags.option ?? []) as string[]) {
      const [name, value] = splitPair(text, '--option');
      given[name] = readJson(value, `--option ${name}`);
    }
    for (const text of (flags.optionFile ?? []) as string[]) {
      const [name, file] = splitPair(text, '--option-file');
      given[name] = readOptionFile(options, name, file);
    }
    return given;
  };
}

/** `full_page` as a flag: `--full-page`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

function addFlag(command: Command, option: CaptureOption): void {
  const flag = flagOf(option.name);
  if (option.form === 'boolean') {
    const isOn = option.default === 'true';
    const positive = new Option(flag, option.description).helpGroup(group);
    const negative = new Option(flag.replace('--', '--no-'), `not: ${option.description}`).helpGroup(group);
    // Both exist, so that a line of a list or a newer default can be overruled; the help shows the one that changes something.
    command.addOption(positive.hideHelp(isOn)).addOption(negative.hideHelp(!isOn));
    return;
  }
  const { choices, form, description } = option;
  const listed = choices?.join('|') ?? '';
  const isShort = listed.length <= longestPlaceholder;
  const value = choices && isShort ? listed : placeholder(option);
  const said = [
    description,
    choices && !isShort ? `One of ${choices.join(', ')}.` : '',
    form === 'list' ? '(may be repeated)' : '',
    option.default === undefined ? '' : `(default: ${option.default})`,
  ];
  const made = new Option(`${flag} <${value}>`, said.filter(Boolean).join(' '));
  command.addOption(made.argParser(collect).helpGroup(group));
}

/** Columns of the help that a flag's choices may take. */
const longestPlaceholder = 30;

function placeholder({ form, orText }: CaptureOption): string {
  if (form === 'json') return orText ? 'text|json' : 'json';
  return form === 'number' ? 'number' : 'text';
}

function collect(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), text];
}

function splitPair(text: string, flag: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${flag} wants a name and a value, as in ${flag} delay_ms=500`);
  return [text.slice(0, at).replaceAll('-', '_'), text.slice(at + 1)];
}

function readOptionFile(options: readonly CaptureOption[], name: string, file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const option = options.find((each) => each.name === name);
  const shown = `the file of --option-file ${name}`;
  // What a newer server takes is not known here: JSON if it is that, else text.
  if (!option) return /^\s*[[{"\d]/.test(text) ? readJson(text, shown) : text;
  return readValue(option, [option.form === 'text' ? text : text.trim()], shown);
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
