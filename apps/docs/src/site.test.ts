import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@capture/testing/test-run';
import { describe, expect, it } from '@jest/globals';
import { readDocument } from './program/read-document.ts';
import { operationsOf } from './reference/document.ts';
import { about, elsewhere, sections } from './site/navigation.ts';

// These tests read the built site.

const folder = path.join(repositoryRoot, 'apps', 'docs', 'dist', 'public');
const docs = path.join(repositoryRoot, 'docs');

const pagesOf = (form: string) =>
  (readdirSync(path.join(folder, form), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.html'))
    .map((name) => ({ name, text: readFileSync(path.join(folder, form, name), 'utf8') }));

it('has a place in the navigation for every document', () => {
  const documents = ['', 'guides/'].flatMap((below) =>
    readdirSync(path.join(docs, below))
      .filter((name) => name.endsWith('.md'))
      .map((name) => below + name.replace('.md', '')),
  );
  const named = [...sections, about].flatMap(({ guides }) => guides);
  expect(named.sort()).toEqual([...documents, ...elsewhere.keys()].sort());
});

describe.each(['A', 'B'] as const)('the site of form %s', (form) => {
  const pages = pagesOf(form);
  const document = readDocument(form);

  it('has a page for every operation, with a description, a response example and six samples', () => {
    const named = new Map(pages.map(({ name, text }) => [name, text]));
    for (const { operationId, description, responses } of operationsOf(document)) {
      const text = named.get(`reference/${operationId}.html`) ?? '';
      expect([operationId, text.match(/data-sample=/g)?.length]).toEqual([operationId, 6]);
      expect([operationId, description]).toEqual([operationId, expect.stringMatching(/\.$/)]);
      const contents = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      for (const [type, content] of contents.flatMap(([, { content = {} }]) => Object.entries(content))) {
        const isData = !('contentMediaType' in content.schema) && !/^text\/(html|css|javascript)$/.test(type);
        expect([operationId, type, 'example' in content]).toEqual([operationId, type, isData]);
      }
    }
  });

  it('links only to pages, parts and files that exist', () => {
    const ids = new Map(
      pages.map(({ name, text }) => [name, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const broken = pages.flatMap(({ name, text }) =>
      [...text.matchAll(/(?:href|src|data-search)="([^"]*)"/g)]
        .map(([, target = '']) => target)
        .filter((target) => !resolves(target, name, ids))
        .map((target) => `${name}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('has no inline scripts, styles or handlers', () => {
    const bad = pages.filter(({ text }) => /<script>|<script [^>]*>[^<]|<style|<[^>]* (?:style|on\w+)="/.test(text));
    expect(bad.map(({ name }) => name)).toEqual([]);
  });
});

function resolves(target: string, page: string, ids: ReadonlyMap<string, ReadonlySet<string | undefined>>): boolean {
  if (/^(https?|mailto):/.test(target) || ['/dashboard', '/openapi.json'].includes(target)) return true;
  const asset = /^\/docs(\/assets\/.+)$/.exec(target);
  if (asset) return existsSync(folder + asset[1]);
  const [, name, id] = /^(?:\/docs\/?([^#]*))?(?:#(.+))?$/.exec(target) ?? [];
  const found = ids.get(name === undefined ? page : `${name || 'index'}.html`);
  return found !== undefined && (id === undefined || found.has(id));
}
