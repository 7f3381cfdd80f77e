import { writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import type { Run } from './summary.ts';

/** Tiles of a contact sheet, pixels. */
const tile = { width: 300, height: 400 };
const caption = 34;
const gap = 8;
const columns = 5;
const tilesPerSheet = 25;

const inXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Writes contact sheets, `sheet-1.png` and so on, and `index.html` with every file at full size. @returns their files. */
export async function writeSheets(folder: string, runs: readonly Run[]): Promise<string[]> {
  const files: string[] = [];
  for (let from = 0; from < runs.length; from += tilesPerSheet) {
    const file = path.join(folder, `sheet-${files.length + 1}.png`);
    await writeSheet(file, runs.slice(from, from + tilesPerSheet));
    files.push(file);
  }
  const index = path.join(folder, 'index.html');
  writeFileSync(index, indexPage(runs));
  return [...files, index];
}

async function writeSheet(file: string, runs: readonly Run[]): Promise<void> {
  const tiles = await Promise.all(
    runs.map(async (run) => ({ run, image: run.preview && (await thumbnail(run.preview)) })),
  );
  const parts: { input: Buffer; left: number; top: number }[] = [];
  let top = gap;
  for (let from = 0; from < tiles.length; from += columns) {
    const row = tiles.slice(from, from + columns);
    for (const [index, { run, image }] of row.entries()) {
      const left = gap + index * (tile.width + gap);
      parts.push({ input: label(run), left, top });
      if (image) parts.push({ input: image.data, left, top: top + caption });
    }
    top += caption + Math.max(...row.map(({ image }) => image?.height ?? 0)) + gap;
  }
  const create = {
    width: columns * (tile.width + gap) + gap,
    height: top,
    channels: 3 as const,
    background: '#888888',
  };
  await sharp({ create }).composite(parts).png().toFile(file);
}

function label({ case: { name }, wrong, ms }: Run): Buffer {
  const colour = wrong.length > 0 ? '#b00020' : '#1b5e20';
  const text = `${name} · ${(ms / 1_000).toFixed(1)} s`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${tile.width}" height="${caption}"><rect width="100%" height="100%" fill="${colour}"/><text x="6" y="22" font-family="sans-serif" font-size="15" fill="#fff">${inXml(text)}</text></svg>`,
  );
}

/** Makes a small copy of an image; null if the bytes are no image. */
async function thumbnail(image: Buffer): Promise<{ data: Buffer; height: number } | null> {
  try {
    const small = sharp(image, { limitInputPixels: false }).resize({ ...tile, fit: 'inside' });
    const { data, info } = await small.png().toBuffer({ resolveWithObject: true });
    return { data, height: info.height };
  } catch {
    return null;
  }
}

function indexPage(runs: readonly Run[]): string {
  const entry = ({ case: { name, group, what }, wrong, file, ms }: Run) => `
<section${wrong.length > 0 ? ' class="wrong"' : ''}>
<h2>${inXml(name)}</h2>
<p>${inXml(group)} · ${(ms / 1_000).toFixed(1)} s · ${inXml(what)}</p>
<ul>${wrong.map((sentence) => `<li>${inXml(sentence)}</li>`).join('')}</ul>
${file === null ? '' : `<a href="${inXml(file)}">${/\.pdf$/.test(file) ? 'PDF' : `<img loading="lazy" src="${inXml(file)}" alt="">`}</a>`}
</section>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Corpus</title>
<style>body{font:15px sans-serif;background:#eee;margin:16px;display:grid;grid-template-columns:repeat(auto-fill,minmax(420px,1fr));gap:16px}
section{background:#fff;border-top:6px solid #2e7d32;padding:8px}.wrong{border-color:#b00020}img{max-width:100%;border:1px solid #ccc}h2{font-size:17px;margin:4px 0}</style>
${runs.map(entry).join('')}</html>
`;
}
