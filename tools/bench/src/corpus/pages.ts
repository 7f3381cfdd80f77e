import { jpegSize, pngSize } from './images.ts';
import { longPage } from './long-page.ts';

/** The pages for measuring latency, in the order of the table. */
export const measuredPages = ['tiny', 'text', 'images', 'spa', 'long', 'fonts'] as const;
export type MeasuredPage = (typeof measuredPages)[number];

/** The pages for measuring throughput. */
export const mixedPages = ['text', 'images', 'spa', 'fonts', 'tiny'] as const;

export const pngs = 10;
export const jpegs = 30;
export const fontWeights = [100, 300, 400, 500, 700];

/** Response time of the data of `spaslow`, milliseconds. */
export const slowResponseMs = 300;

/** The colours that `spaslow` shows before and after its response. */
export const slowColours = { waiting: { r: 200, g: 30, b: 30 }, ready: { r: 30, g: 140, b: 60 } };

/** Reports that the page is complete. Only the reference, which waits for the attribute, and the floor can use this. */
const complete = `document.documentElement.setAttribute('data-complete','');globalThis.pageIsComplete?.('')`;
/** The load event does not wait for lazy images, of which a reader sees the first two at once. */
const completeInView = `<script>addEventListener('load',()=>Promise.all([...document.images].slice(0,2).map((image)=>image.decode())).then(()=>{${complete}}))</script>`;
const completeOnLoad = `<script>addEventListener('load',()=>{${complete}})</script>`;

const sentence = 'A page is a tree of boxes, and a screenshot of it is what is left when all of them were drawn. ';

export const pages: Record<string, string> = {
  tiny: page('Tiny', `<h1>A tiny page</h1><p>Two lines of text.</p>${completeOnLoad}`),
  text: page('Text', `${numbered(200, (index) => `<p><b>${index}.</b> ${sentence.repeat(5)}</p>`)}${completeOnLoad}`),
  images: page(
    'Images',
    `<div style="display:flex;flex-wrap:wrap;gap:6px">
${numbered(pngs, (index) => `<img src="/images/${index}.png" width="${pngSize.width}" height="${pngSize.height}">`)}
${numbered(jpegs, (index) => `<img src="/images/${index}.jpg" width="${jpegSize.width}" height="${jpegSize.height}">`)}</div>${completeOnLoad}`,
  ),
  spa: page(
    'Application',
    application('/spa.json', `for (const text of await response.json()) list.append(element(text));`),
  ),
  spaslow: page(
    'Slow application',
    application(
      '/spaslow.json',
      `await response.json(); document.body.style.background = '${css(slowColours.ready)}'; list.append(element('ready'));`,
    ),
    `background:${css(slowColours.waiting)}`,
  ),
  long: page('Long', `${longPage()}${completeInView}`, 'margin:0'),
  fonts: page(
    'Fonts',
    `<style>${fontWeights.map((weight) => `@font-face{font-family:"W${weight}";src:url(/fonts/${weight}.woff2)}`).join('')}</style>
${fontWeights.map((weight) => numbered(6, () => `<p style="font:22px/1.4 'W${weight}';white-space:nowrap;overflow:hidden">${sentence}</p>`)).join('')}
<script>addEventListener('load', () => document.fonts.ready.then(() => {${complete}}))</script>`,
  ),
  hang: page('Hanging', `<h1>One image never comes</h1><img src="/never.png" width="300" height="200">`),
};

/** The response to the fetch of `spa`: a text for each of its elements. */
export const applicationData = JSON.stringify(Array.from({ length: 3_000 }, (_, index) => `element ${index}`));

function application(data: string, use: string): string {
  return `<main id="list"></main><script>
const list = document.querySelector('#list');
const element = (text) => { const made = document.createElement('span'); made.textContent = text; made.className = 'cell'; return made; };
fetch('${data}').then(async (response) => { ${use} ${complete}; });
</script><style>.cell{display:inline-block;width:88px;height:18px;margin:1px;background:#dde7f0;font:11px monospace;overflow:hidden}</style>`;
}

function page(title: string, body: string, style = 'margin:24px'): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body style="font:16px/1.5 sans-serif;${style}">${body}</body></html>`;
}

function numbered(count: number, each: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => each(index)).join('\n');
}

function css({ r, g, b }: { r: number; g: number; b: number }): string {
  return `rgb(${r},${g},${b})`;
}
