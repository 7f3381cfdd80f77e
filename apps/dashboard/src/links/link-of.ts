import type { CaptureType, LinkRequest } from '../api/responses.ts';
import type { OptionValues } from '../options/control.ts';

/** Options that a link cannot have because viewers would see them. Importing the contract's list would load all of zod. */
const secretOptions: readonly string[] = ['cookies', 'headers', 'basic_auth'];

/** Options that a link ignores: they decide how a response is returned and stored. The link's path has the format. */
const unused: readonly string[] = [
  'async',
  'response_type',
  'webhook_url',
  'cache_ttl_s',
  'metadata',
  'format',
  'outputs',
];

/** Content is no image, so it has no links. */
export type LinkedType = Exclude<CaptureType, 'content'>;

const kinds = { screenshot: 'screenshot', pdf: 'pdf', og_image: 'og-image' } as const;

/** Builds the link of a capture, and lists the options that the link leaves out although they change the image. */
export function linkOf(type: LinkedType, values: OptionValues): { link: LinkRequest; missing: string[] } {
  const format = type === 'pdf' ? 'pdf' : values.format === 'jpg' ? 'jpeg' : (values.format ?? 'png');
  const excluded = [...secretOptions, ...unused];
  const kept = Object.entries(values).filter(([name, value]) => value !== undefined && !excluded.includes(name));
  return {
    link: { file: `${kinds[type]}.${format}` as LinkRequest['file'], parameters: Object.fromEntries(kept) },
    missing: secretOptions.filter((name) => values[name] !== undefined),
  };
}

/** Writes the HTML that shows a link in a page: an image, or a link to a PDF. */
export function tagOf(
  type: CaptureType,
  pageUrl: string,
  link: { url: string; width: number | null; height: number | null },
) {
  const host = escaped(hostOf(pageUrl));
  const url = escaped(link.url);
  if (type === 'pdf') return `<a href="${url}">PDF of ${host}</a>`;
  const sides = [
    ['width', link.width],
    ['height', link.height],
  ].flatMap(([side, pixels]) => (pixels === null ? [] : [` ${side}="${pixels}"`]));
  return `<img src="${url}"${sides.join('')} alt="${host}">`;
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string) => text.replace(/[&"<>]/g, (character) => entities[character] ?? character);
