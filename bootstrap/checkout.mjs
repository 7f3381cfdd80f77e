import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Returns a path of this checkout, whatever the working directory is. */
export const inCheckout = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

export const exists = (file) =>
  access(inCheckout(file)).then(
    () => true,
    () => false,
  );

export function fail(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}

export function lastLines(text, count) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
