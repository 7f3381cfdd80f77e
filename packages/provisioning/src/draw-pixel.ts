import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Chromium } from './chromium.ts';
import { ProvisioningError } from './provisioning-error.ts';
import { lastLine, runCommand } from './run-command.ts';
import { scripts } from './scripts.ts';
import type { Owner } from './server-owner.ts';

/** The first character of each script's text, which a machine without a font for it renders as a box. */
const samples = scripts.map(({ name, text }) => [name, /[\p{L}\p{S}]/u.exec(text)?.[0] ?? text] as const);

export interface Drawn {
  /** The scripts for which this machine has no font. */
  missing: string[];
}

/** Starting takes 0.2 to 1 s; a machine under load may need many times that. */
const withinMs = 30_000;

/** The first bytes of every PNG. */
const pngMark = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Lets Chromium render one pixel, with the account and the sandbox of captures, and reports the scripts that it has no font for.
 * Needs no network, because the page is in the command line.
 *
 * @param options.runAs null for the account of this process.
 * @throws {ProvisioningError} that says why rendering failed.
 */
export async function drawPixel(chromium: Chromium, options: { runAs: Owner; sandbox: boolean }): Promise<Drawn> {
  const { runAs, sandbox } = options;
  const home = await mkdtemp(path.join(os.tmpdir(), 'capture-try-browser-'));
  try {
    if (runAs) await chown(home, runAs.uid, runAs.gid);
    const image = path.join(home, 'pixel.png');
    const { code, output, startError } = await runCommand(chromium.path, flags(chromium, home, image, sandbox), {
      ...runAs,
      cwd: home,
      env: { HOME: home, TMPDIR: home, LANG: 'en_US.UTF-8' },
      timeoutMs: withinMs,
    });
    const [, missing] = /<title>missing:([^<]*)<\/title>/.exec(output) ?? [];
    const bytes = await readFile(image).catch(() => Buffer.alloc(0));
    if (missing !== undefined && bytes.subarray(0, pngMark.length).equals(pngMark)) {
      return { missing: missing.split(',').filter(Boolean) };
    }
    const reason = startError ?? (lastLine(output) || `it ended with code ${code}`);
    throw new ProvisioningError(sandboxFault(output) ?? `Chromium at ${chromium.path} renders nothing: ${reason}.`);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Returns the remedy if Chromium's output says that its sandbox cannot start here; null otherwise. */
export function sandboxFault(output: string): string | null {
  if (!/No usable sandbox|sandbox is not supported|setuid sandbox|without --no-sandbox/i.test(output)) return null;
  return (
    "Chromium's sandbox cannot start here, because this system does not let ordinary users create namespaces: allow them " +
    '(Docker: the seccomp profile that permits clone, setns and unshare; Ubuntu: an AppArmor profile for Chromium), ' +
    'or, where the pages are trusted, set CHROMIUM_SANDBOX=off.'
  );
}

function flags({ shell }: Chromium, home: string, image: string, sandbox: boolean): string[] {
  return [
    shell ? '--headless' : '--headless=new',
    ...(sandbox ? [] : ['--no-sandbox']),
    `--user-data-dir=${path.join(home, 'profile')}`,
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
    '--no-pings',
    '--password-store=basic',
    '--window-size=1,1',
    `--screenshot=${image}`,
    '--dump-dom',
    `data:text/html;charset=utf-8,${encodeURIComponent(page())}`,
  ];
}

/** A character without a font is rendered as the same box as a code point that will never be a character. */
function page(): string {
  return `<title></title><script>
    const drawn = (text) => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 80;
      const pen = canvas.getContext('2d');
      pen.font = '40px sans-serif';
      pen.fillText(text, 5, 60);
      return canvas.toDataURL();
    };
    const box = drawn('\\u{10fffe}');
    const missing = ${JSON.stringify(samples)}.filter(([, text]) => drawn(text) === box);
    document.title = 'missing:' + missing.map(([script]) => script).join();
  </script>`;
}
