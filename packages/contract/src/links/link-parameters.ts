import { z } from 'zod';

/** A whole number in a link has only decimal digits. */
const digits = z
  .string()
  .regex(/^\d{1,12}$/, { error: 'must be a whole number, such as 1800000000' })
  .transform(Number);

/** The parameters of a render link that are not options of its capture. */
export const linkParameters = z.strictObject({
  expires: digits.optional().meta({
    description: 'When the link stops working, in seconds since 1970.',
    example: '1800000000',
  }),
  placeholder: z
    .string()
    .toLowerCase()
    .regex(/^(none|transparent|[0-9a-f]{6})$/, { error: 'must be none, transparent or a color such as f4f4f5' })
    .default('none')
    .meta({
      description:
        'What the link shows instead of a capture that failed, or of a first render that takes longer than five seconds: `none` (the error), `transparent`, or a color as six hexadecimal digits. What the link policy excludes has no placeholder.',
      example: 'f4f4f5',
    }),
  ttl_s: digits.pipe(z.int().min(60).max(2_592_000)).default(86_400).meta({
    description: 'How old the image may become. An older one is shown while the page is rendered again.',
    unit: 'seconds',
    example: '3600',
  }),
});

export type LinkParameters = z.output<typeof linkParameters>;

/** The kinds of links, as the path names them, with the types of their captures. */
export const linkKinds = { screenshot: 'screenshot', pdf: 'pdf', 'og-image': 'og_image' } as const;

export type LinkKind = keyof typeof linkKinds;

/** The files that a link can show, as its path ends. */
export const linkFiles = [
  'screenshot.png',
  'screenshot.jpeg',
  'screenshot.webp',
  'og-image.png',
  'og-image.jpeg',
  'og-image.webp',
  'pdf.pdf',
] as const;

/**
 * Returns the text that a link's signature covers: `{kind}.{format}?` and the parameters sorted by name, percent-encoded, joined
 * with `&`.
 */
export function signedText(file: string, parameters: Iterable<readonly [name: string, value: string]>): string {
  const sorted = [...parameters].sort(([one], [other]) => (one < other ? -1 : 1));
  return `${file}?${sorted.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
}
