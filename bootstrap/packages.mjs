import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { fail, inCheckout, lastLines } from './checkout.mjs';
import { run } from './run.mjs';

/** npm writes this list of the installed packages last, so an interrupted installation has none. */
const installedList = inCheckout('node_modules/.package-lock.json');

/**
 * The packages that are installed: `none` (or not those of the lock file), `start` for those that `npm start` builds and
 * runs, or `all`, with those of tests and tools (`devDependencies`).
 */
export async function installedPackages() {
  const listed = await stat(installedList).catch(() => null);
  const wanted = await stat(inCheckout('package-lock.json'));
  if (!listed || listed.mtimeMs < wanted.mtimeMs) return 'none';
  const { packages } = JSON.parse(await readFile(installedList, 'utf8'));
  const { devDependencies } = JSON.parse(await readFile(inCheckout('package.json'), 'utf8'));
  return Object.keys(devDependencies).every((name) => `node_modules/${name}` in packages) ? 'all' : 'start';
}

/**
 * Installs packages.
 *
 * @param {{ step: string, wanted: 'start' | 'all', installed: 'none' | 'start' | 'all' }} options
 */
export async function installPackages({ step, wanted, installed }) {
  const { npm_execpath: npm } = process.env;
  const [command, ...npmItself] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  // Packages are added beside those of a platform that may be running; `npm ci` also replaces what an interruption left.
  const adds = installed === 'start';
  if (adds) await rm(installedList);
  const result = await run({
    step,
    command,
    args: [
      ...npmItself,
      ...(adds ? ['install', '--no-save'] : ['ci']),
      // Stated, because NODE_ENV=production changes the default.
      wanted === 'all' ? '--include=dev' : '--omit=dev',
      '--no-audit',
      '--no-fund',
    ],
    done: await shareOfPackages((entry) => (wanted === 'all' || !entry.dev) && (!adds || entry.dev)),
  });
  if (result.code === 0) return;
  // npm prints the reason first, then its usage.
  const reasons = result.output.split('\n').filter((line) => line.startsWith('npm error'));
  const shown = reasons.length > 0 ? reasons.slice(0, 15).join('\n') : lastLines(result.output, 15);
  fail(
    `${shown}\n\nThe packages could not be installed (see above): make sure that the package registry can be reached and the disk is not full, then run the command again.`,
  );
}

/** Returns what says how many of the wanted packages are in place, such as "40%". */
async function shareOfPackages(isWanted) {
  const { packages } = JSON.parse(await readFile(inCheckout('package-lock.json'), 'utf8'));
  const fits = (allowed, own) => allowed === undefined || allowed.includes(own);
  const folders = Object.entries(packages)
    .filter(([, entry]) => entry.integrity && fits(entry.os, process.platform) && fits(entry.cpu, process.arch))
    .filter(([, entry]) => isWanted(entry))
    .map(([folder]) => folder);
  return () => {
    const count = folders.filter((folder) => existsSync(inCheckout(`${folder}/package.json`))).length;
    return count > 0 ? `${Math.min(99, Math.floor((count / folders.length) * 100))}%` : '';
  };
}
