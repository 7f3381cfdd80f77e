import { once } from 'node:events';
import path from 'node:path';
import type { CaptureClient } from '@capture-platform/sdk/client';
import { Argument, Command, Option } from 'commander';
import { addConnectFlags, type ConnectFlags } from '../connect/connect-flags.ts';
import { withClient } from '../connect/with-client.ts';
import { extensionOf, extensionOfFormat, formatOf, hasFormat, stemOfUrl } from '../list/file-name.ts';
import { checkUrl } from '../list/item.ts';
import { type Kind, kinds } from '../options/capture-option.ts';
import { addOptionFlags, type OptionValues } from '../options/option-flags.ts';
import { saveFile } from '../save-file.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';

/** `capture screenshot <url>` and the other kinds capture one page into one file. */
export function captureOneCommand(kind: Kind, session: Session): Command {
  const { command: name, noun } = kinds[kind];
  const command = new Command(name);
  if (kind === 'screenshot') command.alias('page');
  command
    .description(`capture one page as a ${noun}`)
    .addArgument(new Argument('[url]', 'the page; leave it out with --html or --option-file html=…'))
    .addOption(
      new Option('-o, --output <file>', 'output file; - for standard output (default: a name made from the URL)'),
    )
    .addOption(new Option('--json', 'print the record of the capture; the file is still written'));
  addConnectFlags(command);
  const readOptions = addOptionFlags(command, [kind]);
  return command.action(async (url: string | undefined, flags: ConnectFlags & { output?: string; json?: true }) => {
    const options = readOptions();
    const page = pageOf(url, options);
    const format = flags.output === undefined ? undefined : formatOf(flags.output);
    if (flags.output !== undefined) checkExtension(flags.output, kind, options.format ?? format);
    if (format !== undefined && hasFormat(kind, format)) options.format ??= format;
    if (flags.json && flags.output === '-') {
      throw new UsageError('standard output takes either the file (-o -) or the record (--json), not both');
    }
    if (flags.output === '-' && hasOutputs(options)) {
      throw new UsageError(
        'standard output takes one file: name a file with -o; the files of --outputs are written next to that file',
      );
    }
    const file = flags.output ?? `${page.url ? stemOfUrl(page.url) : 'page'}${extensionOf({ type: kind, options })}`;
    await withClient(flags, session, (client) =>
      flags.json || hasOutputs(options) || (options.preset !== undefined && file !== '-')
        ? captureWithRecord(client, kind, { ...options, ...page }, { file, json: flags.json === true }, session)
        : capture(client, kind, { ...options, ...page }, file, session),
    );
  });
}

/** Checks that the file's name fits its content. A name without a known extension fits any content. */
function checkExtension(file: string, kind: Kind, format: unknown): void {
  if (kind === 'content') {
    checkContentExtension(file, format);
    return;
  }
  const [, extension] = /\.(png|jpe?g|webp|gif|avif|bmp|svg|tiff?|pdf|html?)$/i.exec(file) ?? [];
  if (extension === undefined) return;
  if (kind === 'pdf' && extension.toLowerCase() !== 'pdf') throw new UsageError(`${file}: a PDF needs a name in .pdf`);
  if (kind === 'pdf' || (format !== undefined && formatOf(file) === format)) return;
  const wanted = format === undefined ? '.png, .jpg or .webp' : `.${String(format)}, as --format says`;
  throw new UsageError(`${file}: the image needs a name in ${wanted}`);
}

function checkContentExtension(file: string, format: unknown): void {
  const [extension] = /\.(md|txt|html?|json|png|jpe?g|webp|pdf)$/i.exec(file) ?? [];
  const wanted = extensionOf({ type: 'content', options: format === undefined ? {} : { format } });
  if (extension === undefined || extension.toLowerCase().replace(/^\.htm$/, '.html') === wanted) return;
  throw new UsageError(`${file}: the content needs a name in ${wanted}, or another --format`);
}

function pageOf(url: string | undefined, options: OptionValues): { url?: string } {
  if (url === undefined) {
    if (options.html === undefined) throw new UsageError('there is no URL to capture');
    return {};
  }
  const fault = checkUrl(url);
  if (fault !== null) throw new UsageError(`${url} cannot be captured: ${fault}`);
  return { url };
}

async function capture(
  client: CaptureClient,
  kind: Kind,
  options: OptionValues,
  file: string,
  { signal, report }: Session,
): Promise<void> {
  // The server validates the user's options.
  const { body, qualityReasons } = await client.capture(kind, options as never, { signal });
  if (file === '-') return print(body);
  const { bytes } = await saveFile(path.resolve(file), body, signal);
  report(`${file} (${bytes.toLocaleString('en-US')} bytes${doubtsOf(qualityReasons ?? [])})`);
}

async function captureWithRecord(
  client: CaptureClient,
  kind: Kind,
  options: OptionValues,
  { file, json }: { file: string; json: boolean },
  { signal, report }: Session,
): Promise<void> {
  const record = await client.captures.take(kind, options as never, { signal });
  const reasons = record.quality?.reasons ?? [];
  const save = async (url: string, to: string, doubts = '') => {
    const { body } = await client.files.download(url, { signal });
    const { bytes, sha256 } = await saveFile(path.resolve(to), body, signal);
    if (!json) report(`${to} (${bytes.toLocaleString('en-US')} bytes${doubts})`);
    return { file: path.resolve(to), sha256 };
  };
  const own = await save(String(record.file_url), file, doubtsOf(reasons));
  const [first, ...others] = record.outputs ?? [];
  const outputs = first && [{ ...first, ...own }];
  for (const output of others) {
    outputs?.push({ ...output, ...(await save(output.file_url, besideFile(file, output))) });
  }
  if (json) process.stdout.write(`${JSON.stringify({ ...record, ...own, outputs: outputs ?? null }, null, 2)}\n`);
}

const doubtsOf = (reasons: readonly string[]) => (reasons.length > 0 ? `; check it: ${reasons.join(', ')}` : '');

const hasOutputs = ({ outputs }: OptionValues) => Array.isArray(outputs) && outputs.length > 0;

/** Names an output after the file: `page-phone.webp` for `page.png` and the output `phone`. */
function besideFile(file: string, { name, format }: { name: string; format: string }): string {
  const { dir, name: stem } = path.parse(file);
  return path.join(dir, `${stem}-${name}${extensionOfFormat(format)}`);
}

/** Writes to standard output with backpressure. */
async function print(body: ReadableStream<Uint8Array>): Promise<void> {
  for await (const chunk of body) {
    if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
  }
}
