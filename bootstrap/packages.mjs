import { existsSync } from 'node:fs';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { fail, inCheckout, lastLines } from './checkout.mjs';
import { run } from './run.mjs';

/** npm writes this list of the installed packages last, so the list is missing after an interrupted installation. */
const installedList = inCheckout('node_modules/.package-lock.json');

/** The list has this name while packages are added, so that an interrupted addition is repeated as an addition. */
const listBeforeAddition = inCheckout('node_modules/.package-lock.before.json');

export const hasPackages = () => existsSync(installedList) || existsSync(listBeforeAddition);

/**
 * Returns which packages are installed: `none` (or not those of the lock file), `start` for the packages that `npm start` builds
 * and runs, or `all`, which includes tests and tools (`devDependencies`).
 */
export async function installedPackages() {
  const list = existsSync(installedList) ? installedList : listBeforeAddition;
  const listed = await stat(list).catch(() => null);
  const wanted = await stat(inCheckout('package-lock.json'));
  if (!listed || listed.mtimeMs < wanted.mtimeMs) return 'none';
  const { packages } = JSON.parse(await readFile(list, 'utf8'));
  const { devDependencies } = JSON.parse(await readFile(inCheckout('package.json'), 'utf8'));
  return Object.keys(devDependencies).every((name) => `node_modules/${name}` in packages) ? 'all' : 'start';
}

/** @param {{ step: string, wanted: 'start' | 'all', installed: 'none' | 'start' | 'all' }} options */
export async function installPackages({ step, wanted, installed }) {
  const { npm_execpath: npm } = process.env;
  const [command, ...npmItself] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  // New packages are added without touching those of a platform that may be running. `npm ci` also replaces incomplete packages.
  const adds = installed === 'start';
  const wantedFolders = await listFolders((entry) => (wanted === 'all' || !entry.dev) && (!adds || entry.dev));
  if (adds) await prepareAddition(wantedFolders);
  const result = await run({
    step,
    command,
    args: [
      ...npmItself,
      ...(adds ? ['install', '--no-save'] : ['ci']),
      // The option is stated because NODE_ENV=production changes the default.
      wanted === 'all' ? '--include=dev' : '--omit=dev',
      '--no-audit',
      '--no-fund',
    ],
    done: () => shareInPlace(wantedFolders),
  });
  if (result.code === 0) return rm(listBeforeAddition, { force: true });
  // npm prints the reason first, then its usage.
  const reasons = result.output.split('\n').filter((line) => line.startsWith('npm error'));
  const shown = reasons.length > 0 ? reasons.slice(0, 15).join('\n') : lastLines(result.output, 15);
  fail(
    `${shown}\n\nThe packages could not be installed (see above): make sure that the package registry can be reached and the disk is not full, then run the command again.`,
  );
}

/** Removes the folders to be added, because npm keeps a folder that an interruption left half written. */
async function prepareAddition(folders) {
  if (existsSync(installedList)) await rename(installedList, listBeforeAddition);
  for (const folder of folders) await rm(inCheckout(folder), { recursive: true, force: true });
}

/** The folders of the lock file's packages that belong to this platform and are wanted. */
async function listFolders(isWanted) {
  const { packages } = JSON.parse(await readFile(inCheckout('package-lock.json'), 'utf8'));
  const fits = (allowed, own) => allowed === undefined || allowed.includes(own);
  return Object.entries(packages)
    .filter(([, entry]) => entry.integrity && fits(entry.os, process.platform) && fits(entry.cpu, process.arch))
    .filter(([, entry]) => isWanted(entry))
    .map(([folder]) => folder);
}

/** The share of the packages that are in place, such as "40%". */
function shareInPlace(folders) {
  const count = folders.filter((folder) => existsSync(inCheckout(`${folder}/package.json`))).length;
  return count > 0 ? `${Math.min(99, Math.floor((count / folders.length) * 100))}%` : '';
}
