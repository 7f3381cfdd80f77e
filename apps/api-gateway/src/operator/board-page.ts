import type { UIConfig } from '@bull-board/api/typings/app';

/** The files that the page begins with, by what Bull Board's own page names: their names bear hashes of a version. */
export interface PageFiles {
  scripts: string[];
  styles: string[];
}

/** Finds them in Bull Board's page, a template of which nothing else is taken. */
export function filesOfPage(template: string): PageFiles {
  const found = (pattern: RegExp) => [...template.matchAll(pattern)].map(([, file = '']) => file);
  return {
    scripts: found(/<script[^>]* src="(static\/js\/[\w.-]+\.js)"/g),
    styles: found(/<link href="(static\/css\/[\w.-]+\.css)"/g),
  };
}

/**
 * The board's page: its files and its settings, which stand in the page as data that no browser runs.
 *
 * @param nonce for the style elements that the board's own libraries make.
 */
export function boardPage({ scripts, styles }: PageFiles, config: UIConfig, nonce: string): string {
  const settings = JSON.stringify(config).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta property="csp-nonce" nonce="${nonce}">
<base href="/operator/queues/">
<title>Queues</title>
<link rel="icon" href="static/images/logo.svg" type="image/svg+xml">
${styles.map((file) => `<link rel="stylesheet" href="${file}">`).join('\n')}
</head>
<body>
<script id="__UI_CONFIG__" type="application/json">${settings}</script>
<div id="root"></div>
${scripts.map((file) => `<script defer src="${file}"></script>`).join('\n')}
</body>
</html>
`;
}
