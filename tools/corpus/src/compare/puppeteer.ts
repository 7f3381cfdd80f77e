import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import puppeteer, { type Page } from 'puppeteer';
import sharp from 'sharp';
import { type Case, viewport } from '../case.ts';
import type { Method } from './pairs.ts';

/** Chromium composites with SwiftShader, whose textures have at most 8,192 pixels; those of most GPUs have 16,384. */
const emulatedGpu = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--enable-gpu-rasterization',
];

/** Draws a case as scripts with Puppeteer do. @param folder for temporary files of this run. */
export async function drawWithPuppeteer(
  { options = {} }: Case,
  url: string,
  method: Method,
  { executablePath, folder }: { executablePath: string; folder: string },
): Promise<Buffer> {
  const browser = await puppeteer.launch({
    executablePath,
    headless: 'shell',
    args: [...(process.geteuid?.() === 0 ? ['--no-sandbox'] : []), ...(method === 'gpu' ? emulatedGpu : [])],
    env: method === 'one font' ? { ...process.env, FONTCONFIG_FILE: writeFontConfig(folder) } : process.env,
  });
  try {
    const page = await browser.newPage();
    const { width = viewport.width, height = viewport.height } = options;
    await page.setViewport({ width, height });
    await page.goto(url, { waitUntil: 'load' });
    if (method === 'stitched') return await stitch(page, { width, height });
    const captureBeyondViewport = method !== 'tall window';
    return Buffer.from(await page.screenshot({ fullPage: true, captureBeyondViewport }));
  } finally {
    await browser.close();
  }
}

/** Joins screenshots of one window after the other. The last is cut to the rest of the page. */
async function stitch(page: Page, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const pageHeight = Number(await page.evaluate('document.documentElement.scrollHeight'));
  const parts: { input: Buffer; left: number; top: number }[] = [];
  for (let top = 0; top < pageHeight; top += height) {
    await page.evaluate(`scrollTo(0, ${top})`);
    const rest = Math.min(height, pageHeight - top);
    const input = await sharp(await page.screenshot())
      .extract({ left: 0, top: height - rest, width, height: rest })
      .png()
      .toBuffer();
    parts.push({ input, left: 0, top });
  }
  const create = { width, height: pageHeight, channels: 3 as const, background: '#ffffff' };
  return sharp({ create }).composite(parts).png().toBuffer();
}

/** Configures Liberation Sans alone, as on a server where only the browser was installed. */
function writeFontConfig(folder: string): string {
  const fonts = path.join(
    path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
    'standard_fonts',
  );
  const file = path.join(folder, 'one-font.conf');
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><cachedir>${folder}</cachedir>
<selectfont><rejectfont><glob>${fonts}/Foxit*</glob></rejectfont></selectfont></fontconfig>`,
  );
  return file;
}
