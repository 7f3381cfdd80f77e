/** The number of pages of one site that share style sheets, scripts and images, like those of a shop or a manual. */
export const sitePages = 200;
export const siteImages = 6;

/** The server lets clients cache the files that all pages of a site use. */
export const siteHeaders = { 'cache-control': 'public, max-age=3600' };

const rules = Array.from(
  { length: 1_800 },
  (_, index) => `.site .rule-${index}{margin:${index % 7}px;color:#${String(100 + (index % 800))}}`,
);

/** 80 kB of rules, of which a page uses a few. */
export const siteStyle = `
body{font:16px/1.5 sans-serif;margin:0;color:#222}
header{background:#1b3a57;color:#fff;padding:16px 32px}
main{display:grid;grid-template-columns:2fr 1fr;gap:32px;padding:32px}
aside img{display:block;width:180px;margin-bottom:12px}
${rules.join('\n')}
`;

const words = Array.from({ length: 4_000 }, (_, index) => `"entry ${index}":${index * 7}`);

/** 80 kB of script that builds the page's menu. */
export const siteScript = `
const index = {${words.join(',')}};
document.addEventListener('DOMContentLoaded', () => {
  const menu = document.querySelector('nav');
  for (const name of Object.keys(index).slice(0, 40)) {
    const entry = document.createElement('a');
    entry.textContent = name + ' · ';
    menu.append(entry);
  }
});
addEventListener('load', () => document.documentElement.setAttribute('data-complete', ''));
`;

export function sitePage(number: number): string {
  const paragraphs = Array.from(
    { length: 12 },
    (_, index) =>
      `<p>Paragraph ${index} of page ${number}. ${'What a page of a site says to its readers. '.repeat(6)}</p>`,
  );
  const screenshots = Array.from(
    { length: siteImages },
    (_, index) => `<img src="/site/${index}.jpg" width="180" height="135">`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${number}</title>
<link rel="stylesheet" href="/site/style.css"><script src="/site/script.js"></script></head>
<body class="site"><header><h1>Page ${number}</h1></header><nav></nav>
<main><article>${paragraphs.join('')}</article><aside>${screenshots.join('')}</aside></main></body></html>`;
}
