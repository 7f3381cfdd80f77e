import { z } from 'zod';

/** A host, or `*.` and a host for all its subdomains. */
const hostPattern = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, {
    error: 'must be a host such as example.com, or *.example.com for all hosts below it',
  });

/** The limits of an account's render links. A missing field means no limit. */
export const linkPolicy = z.strictObject({
  allowed_hosts: z
    .array(hostPattern)
    .min(1)
    .max(100)
    .optional()
    .meta({
      description: 'Hosts of the pages that links may show; `*.example.com` is every host below example.com.',
      example: ['example.com', '*.example.com'],
    }),
  max_width: z.int().min(1).optional().meta({
    description: 'The widest viewport or image.',
    unit: 'pixels',
    example: 1_920,
  }),
  max_height: z.int().min(1).optional().meta({
    description: 'The highest viewport or image. Links then cannot have `full_page`, whose height is that of the page.',
    unit: 'pixels',
    example: 1_200,
  }),
  renders_per_day: z.int().min(0).optional().meta({
    description: 'How often all links together may render on a day (UTC). What is stored is shown beyond that.',
    example: 1_000,
  }),
  renders_per_link: z.int().min(0).optional().meta({
    description: 'The same for each link. Links with equal options are one link.',
    example: 24,
  }),
  renders_per_host: z.int().min(0).optional().meta({
    description: 'The same for all links to the pages of one host.',
    example: 200,
  }),
});

export type LinkPolicy = z.output<typeof linkPolicy>;

/** The requested size of a link, pixels. */
export interface LinkSize {
  width: number;
  /** The height; null if the page determines it. */
  height: number | null;
}

export function hostFault({ allowed_hosts: hosts }: LinkPolicy, url: string): string | null {
  const { hostname } = new URL(url);
  if (!hosts || hosts.some((pattern) => matches(pattern, hostname))) return null;
  return `The link policy of this account does not allow pages of ${hostname}.`;
}

/** Returns why the policy does not allow a link, or null. `size` is null for a PDF. */
export function policyFault(policy: LinkPolicy, url: string, size: LinkSize | null): string | null {
  const { max_width: maxWidth = Infinity, max_height: maxHeight = Infinity } = policy;
  const ofHost = hostFault(policy, url);
  if (ofHost !== null) return ofHost;
  if (size && size.width > maxWidth) {
    return `The link policy of this account allows images of at most ${maxWidth} pixels in width, and this one has ${size.width}.`;
  }
  if (size && maxHeight !== Infinity && (size.height === null || size.height > maxHeight)) {
    const asked = size.height === null ? 'full_page has no limit' : `this one has ${size.height}`;
    return `The link policy of this account allows images of at most ${maxHeight} pixels in height, and ${asked}.`;
  }
  return null;
}

function matches(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
