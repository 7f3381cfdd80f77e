import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import type { DocumentImage } from '../site/markdown.ts';
import { readDocument } from './read-document.ts';
import { writeSite } from './write-site.ts';

// This program writes the site of each API profile to dist/public, after Vite and tsc have run.

const root = path.join(import.meta.dirname, '..', '..');
const site = path.join(root, 'dist', 'public');
rmSync(site, { recursive: true, force: true });
mkdirSync(path.join(site, 'assets'), { recursive: true });
cpSync(path.join(root, 'dist', 'client', 'assets'), path.join(site, 'assets'), { recursive: true });

interface Built {
  file: string;
}
const manifest: Record<string, Built> = JSON.parse(
  readFileSync(path.join(root, 'dist', 'client', 'manifest.json'), 'utf8'),
);

/** Returns the URL of a file that Vite built. */
function built(source: string): string {
  const found = manifest[source];
  if (!found) throw new Error(`Vite built no ${source}`);
  return `/docs/${found.file}`;
}

/** Writes an asset under a name with a hash of its content, and returns its URL. */
function writeAsset(name: string, content: string | Buffer): string {
  const { name: stem, ext } = path.parse(name);
  const file = `${stem}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}${ext}`;
  writeFileSync(path.join(site, 'assets', file), content);
  return `/docs/assets/${file}`;
}

const files = {
  script: built('src/client/main.ts'),
  colorScheme: built('src/client/color-scheme.ts'),
  style: built('src/client/site.css'),
  icon: writeAsset('icon.svg', readFileSync(path.join(root, 'src', 'client', 'icon.svg'), 'utf8')),
};

const imagesFolder = path.join(root, '..', '..', 'docs', 'images');
const images = new Map<string, DocumentImage>();
for (const name of readdirSync(imagesFolder)) {
  const content = readFileSync(path.join(imagesFolder, name));
  const { width, height } = await sharp(content).metadata();
  images.set(`images/${name}`, { url: writeAsset(name, content), width, height });
}

for (const form of ['A', 'B'] as const) {
  await writeSite(readDocument(form), path.join(site, form), images, (index) => ({
    ...files,
    searchIndex: writeAsset('search.json', index),
  }));
}

// The gateway serves the copy to browsers that accept gzip.
for (const name of readdirSync(path.join(site, 'assets'))) {
  const file = path.join(site, 'assets', name);
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
}
