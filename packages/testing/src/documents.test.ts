import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from './test-run.ts';

/** Returns the targets of a document's links that lead into the repository, and the files that it names in backticks. */
function pathsIn(document: string): string[] {
  const text = readFileSync(path.join(repositoryRoot, document), 'utf8');
  const links = [...text.matchAll(/\]\(([^)#]+)/g)].map((match) => match[1]!).filter((link) => !/^https?:/.test(link));
  const named = [...text.matchAll(/`((?:apps|packages|prisma)\/[\w./-]+)`/g)].map((match) => match[1]!);
  return [...new Set([...links, ...named])];
}

const guides = readdirSync(path.join(repositoryRoot, 'docs')).filter((name) => name.endsWith('.md'));
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'packages/egress/README.md',
  'packages/sdk/README.md',
  'CHANGELOG.md',
];
documents.push(...guides.map((name) => `docs/${name}`));
documents.push(...readdirSync(path.join(repositoryRoot, 'docs', 'guides')).map((name) => `docs/guides/${name}`));

describe.each(documents)('%s', (document) => {
  it('names only files that exist', () => {
    const paths = pathsIn(document);
    const missing = paths.filter((name) => {
      const fromDocument = path.join(repositoryRoot, path.dirname(document), name);
      return !existsSync(fromDocument) && !existsSync(path.join(repositoryRoot, name));
    });
    expect(missing).toEqual([]);
  });
});

it('docs/settings.md explains every setting', () => {
  const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');
  const settings = [...read('packages/runtime/src/settings.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(
    (match) => match[1]!,
  );
  expect(settings.length).toBeGreaterThan(10);
  const documented = read('docs/settings.md');
  expect(settings.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
});
