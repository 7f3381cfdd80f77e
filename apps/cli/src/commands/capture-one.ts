import { once } from 'node:events';
import path from 'node:path';
import type { CaptureClient } from '@capture-platform/sdk/client';
import { Argument, Command, Option } from 'commander';
import { addConnectFlags, type ConnectFlags } from '../connect/connect-flags.ts';
import { withClient } from '../connect/with-client.ts';
import { extensionOf, formatOf, hasFormat, stemOfUrl } from '../list/file-name.ts';
import { checkUrl } from '../list/item.ts';
import { type Kind, kinds } from '../options/capture-option.ts';
import { addOptionFlags, type OptionValues } from '../options/option-flags.ts';
import { saveFile } from '../save-file.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';

/** `capture screenshot <url>` and the other kinds: one page into one file. */
export function captureOneCommand(kind: Kind, session: Session): Command {
  const { command: name, noun } = kinds[kind];
  const command = new Command(name)
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
    const file = flags.output ?? `${page.url ? stemOfUrl(page.url) : 'page'}${extensionOf({ type: kind, options })}`;
    await withClient(flags, session, (client) =>
      flags.json
        ? captureWithRecord(client, kind, { ...options, ...page }, file, session)
        : capture(client, kind, { ...options, ...page }, file, session),
    );
  });
}

/** Whether the file's name promises what it will contain; a name without a known extension promises nothing. */
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
  const doubts = qualityReasons?.length ? `; check it: ${qualityReasons.join(', ')}` : '';
  report(`${file} (${bytes.toLocaleString('en-US')} bytes${doubts})`);
}

async function captureWithRecord(
  client: CaptureClient,
  kind: Kind,
  options: OptionValues,
  file: string,
  { signal }: Session,
): Promise<void> {
  const record = await client.captures.take(kind, options as never, { signal });
  const { body } = await client.files.download(String(record.file_url), { signal });
  const saved = await saveFile(path.resolve(file), body, signal);
  process.stdout.write(`${JSON.stringify({ ...record, file: path.resolve(file), sha256: saved.sha256 }, null, 2)}\n`);
}

/** Writes to standard output with backpressure. */
async function print(body: ReadableStream<Uint8Array>): Promise<void> {
  for await (const chunk of body) {
    if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
  }
}
