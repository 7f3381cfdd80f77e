import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const repositoryRoot = path.join(import.meta.dirname, '..', '..');

export const readText = (file: string): string => readFileSync(path.join(repositoryRoot, file), 'utf8');

/** Returns the names of the stages of a Dockerfile. */
export function targetsOf(file: string): string[] {
  return [...readText(file).matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name!);
}

/** Returns the built programs that the images run. A program counts only if its source exists. */
export function builtFiles(): string[] {
  const programs = [
    'prisma/dist/main.js',
    'packages/storage/dist/create-bucket.js',
    ...['api-gateway', 'capture-worker', 'webhook-dispatcher', 'egress-proxy'].map((app) => `apps/${app}/dist/main.js`),
  ];
  const sourceOf = (program: string) => program.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
  return programs.filter((program) => existsSync(path.join(repositoryRoot, sourceOf(program))));
}

/** Returns every setting that the documentation names. */
export function documentedSettings(): Set<string> {
  const documents = [
    'docs/settings.md',
    'docs/egress.md',
    'docs/monitoring.md',
    'docs/tracing.md',
    'docs/deployment.md',
  ];
  const names = documents.filter((file) => existsSync(path.join(repositoryRoot, file))).map(readText);
  return new Set(
    names
      .join('\n')
      .match(/`[A-Z][A-Z0-9_]+`/g)
      ?.map((name) => name.slice(1, -1)),
  );
}
