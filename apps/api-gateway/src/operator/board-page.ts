import type { UIConfig } from '@bull-board/api/typings/app';

/** The files that Bull Board's page loads first; their names contain hashes. */
export interface PageFiles {
  scripts: string[];
  styles: string[];
}

/** Finds the files in Bull Board's page template, whose other content is not used. */
export function readPageFiles(template: string): PageFiles {
  const find = (pattern: RegExp) => [...template.matchAll(pattern)].map(([, file = '']) => file);
  return {
    scripts: find(/<script[^>]* src="(static\/js\/[\w.-]+\.js)"/g),
    styles: find(/<link href="(static\/css\/[\w.-]+\.css)"/g),
  };
}

/**
 * Builds the board's page with its files and settings. The settings are data that no browser executes.
 *
 * @param nonce for the style elements that the board's libraries create.
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
