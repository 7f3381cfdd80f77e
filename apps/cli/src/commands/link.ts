import { type LinkFile, signLink } from '@capture-platform/sdk/sign-link';
import { Argument, Command, Option } from 'commander';
import { configFile, readConfig } from '../connect/config-file.ts';
import { parseBaseUrl } from '../connect/find-server.ts';
import { checkUrl } from '../list/item.ts';
import { addOptionFlags } from '../options/option-flags.ts';
import { readSecretFile } from '../secret-file.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';

const files: readonly LinkFile[] = [
  'screenshot.png',
  'screenshot.jpeg',
  'screenshot.webp',
  'og-image.png',
  'og-image.jpeg',
  'og-image.webp',
  'pdf.pdf',
];

interface LinkFlags {
  server?: string;
  keyId?: string;
  secretFile?: string;
  expires?: string;
  placeholder?: string;
  ttlS?: string;
}

/** `capture link <file> <url>` prints a signed render link, without asking a server. */
export function linkCommand({ env }: Session): Command {
  const command = new Command('link')
    .description('sign a render link: an image or a PDF by its URL, for <img>, mails and og:image')
    .addArgument(new Argument('<file>', 'what the link shows').choices(files))
    .addArgument(new Argument('<url>', 'the page'))
    .addOption(new Option('--server <url>', 'URL of the platform (or CAPTURE_SERVER, or `capture login`)'))
    .addOption(new Option('--key-id <id>', 'ID of an API key of the account (or CAPTURE_KEY_ID)'))
    .addOption(new Option('--secret-file <path>', 'file with the link secret (or CAPTURE_LINK_SECRET)'))
    .addOption(new Option('--expires <seconds>', 'when the link stops working, in seconds since 1970'))
    .addOption(new Option('--placeholder <color>', 'transparent, or a color such as f4f4f5, instead of an error'))
    .addOption(new Option('--ttl-s <seconds>', 'how old the image may become'));
  const readOptions = addOptionFlags(command, ['screenshot', 'pdf', 'og_image']);
  return command.action(async (file: LinkFile, url: string, flags: LinkFlags) => {
    const fault = checkUrl(url);
    if (fault !== null) throw new UsageError(`${url} cannot be captured: ${fault}`);
    const baseUrl = parseBaseUrl(flags.server ?? (env.CAPTURE_SERVER || readConfig(configFile(env))?.server));
    if (baseUrl === null)
      throw new UsageError('a link needs the URL of the platform: pass --server or set CAPTURE_SERVER');
    const keyId = flags.keyId ?? env.CAPTURE_KEY_ID;
    if (!keyId) throw new UsageError('a link needs the ID of an API key: pass --key-id or set CAPTURE_KEY_ID');
    const { expires, placeholder, ttlS: ttl_s } = flags;
    const parameters = { ...readOptions(), url, expires, placeholder, ttl_s };
    const link = await signLink({ baseUrl, keyId, secret: readSecret(flags, env), file, parameters });
    process.stdout.write(`${link}\n`);
  });
}

function readSecret({ secretFile }: LinkFlags, env: NodeJS.ProcessEnv): string {
  const secret = (secretFile === undefined ? env.CAPTURE_LINK_SECRET : readSecretFile(secretFile))?.trim();
  if (secret) return secret;
  throw new UsageError('a link needs the link secret: pass --secret-file or set CAPTURE_LINK_SECRET');
}
