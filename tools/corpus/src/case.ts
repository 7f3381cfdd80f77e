/** The subject of a page of the corpus. */
export type Group =
  | 'waiting'
  | 'motion'
  | 'full page'
  | 'element'
  | 'verdict'
  | 'banner'
  | 'pdf'
  | 'scripts of the world'
  | 'libraries';

/** A page, how it is captured, and expectations: the page as a patient visitor sees it. */
export interface Case {
  /** Unique, kebab-case: `aos-cards-full`. */
  name: string;
  group: Group;
  /** A path on the corpus server: `/pages/aos-cards.html?once=no`. */
  page: string;
  /** `screenshot` by default. */
  kind?: 'screenshot' | 'pdf' | 'og_image';
  /** Options of the API. An `og_image` has the template `page`, unless the options name another. */
  options?: CaseOptions;
  expect: Expectation[];
  /** Whether other tools can capture the case: by default, screenshots without `block_cookie_banners`. */
  peers?: boolean;
  /** Whether `npm test` runs the case. */
  quick?: true;
  /** The view of a patient visitor, in one sentence. */
  what: string;
}

export interface CaseOptions {
  full_page?: true;
  selector?: string;
  clip?: { x: number; y: number; width: number; height: number };
  block_cookie_banners?: true;
  /** Width of the viewport in CSS pixels; 1280×720 by default. */
  width?: number;
  height?: number;
  [option: string]: unknown;
}

/** A case without the parts that follow from its name, its group and its folder. */
type NamedCase = Omit<Case, 'name' | 'group' | 'page' | 'kind'> & Partial<Pick<Case, 'group' | 'page'>>;

/** Words at the end of a name (`pdf` and `og` at its start, too) that say how the page is captured. */
const ways = ['full', 'pdf', 'og', 'element', 'clip', 'viewport'];

/**
 * Returns the cases of a group, by name. A name says how the page is captured: `chart-full` its full page, `chart-pdf` as a
 * PDF, `chart-og` as an OG image. Without a `page` a case takes the page of its name, `chart.html`, in the folder; a `page` is
 * a path in the folder, too, unless it begins with `/`.
 */
export function cases(group: Group, folder: string, named: Record<string, NamedCase>): Case[] {
  return Object.entries(named).map(([name, { page = pageOf(name, folder), options, ...rest }]) => {
    const words = name.split('-');
    const ends = [words[0], words.at(-1)];
    const fullPage = words.at(-1) === 'full' && { full_page: true as const };
    return {
      name,
      group,
      page: page.startsWith('/') ? page : `/pages/${folder}/${page}`,
      ...(ends.includes('pdf') && { kind: 'pdf' as const }),
      ...(ends.includes('og') && { kind: 'og_image' as const }),
      ...((fullPage || options) && { options: { ...fullPage, ...options } }),
      ...rest,
    };
  });
}

/** Returns `lazy.html` in the folder `pdf` for `pdf-lazy`, and `chart.html` for `chart-full`. */
function pageOf(name: string, folder: string): string {
  const words = name.split('-');
  if (words[0] === 'og' || words[0] === folder.split('/').at(-1)) words.shift();
  if (ways.includes(words.at(-1) ?? '')) words.pop();
  return `${words.join('-')}.html`;
}

/** `#rrggbb`. Markers are saturated and differ from every other colour of their page; each channel may be 8 apart. */
export type Colour = `#${string}`;

/** Left, top, width and height, CSS pixels of the output. Negative `left` and `top` count from the right and the bottom. */
export type Area = readonly [number, number, number, number];

export interface Bounds {
  least?: number;
  most?: number;
}

/** A check of a result. */
export type Expectation =
  /** The colour of a pixel; negative coordinates count from the right and the bottom. */
  | { at: readonly [number, number]; is: Colour }
  /** At least this share (0 to 1) of an area has the colour. */
  | { area: Area; has: Colour; least: number }
  /** No pixel of an area has the colour. */
  | { area: Area; lacks: Colour }
  /** The number of pixels in the whole image that have the colour. */
  | { whole: Colour; pixels: Bounds }
  /** The size of the image, CSS pixels. A number may be a pixel off. */
  | { size: { width?: number | Bounds; height?: number | Bounds } }
  /** The number of blocks of the colour that are stacked vertically, with rows of other colours between them. */
  | { blocks: Colour; count: number }
  | { pdf: PdfExpectation }
  /** One of these reasons is in the `quality` of the capture, or it is `ok`. */
  | { quality: string | readonly string[] }
  /** The capture fails with this `error_code`. */
  | { error: string }
  /** One of these values is the `wait` of the receipt. */
  | { wait: string | readonly string[] }
  /** One of these values is the `cookie_banner.result` of the receipt. */
  | { banner: string | readonly string[] };

export interface PdfExpectation {
  pages?: Bounds;
  /** Texts that the document contains, spaces collapsed. */
  text?: readonly string[];
  /** Texts that the document does not contain. */
  lacks?: readonly string[];
  /** Pixels of a colour at 96 dpi, on a page (from 1 on) or on all of the first 20 together. */
  marks?: readonly (Bounds & { colour: Colour; page?: number })[];
}

/** The viewport of every capture that names no other, also for other tools. CSS pixels. */
export const viewport = { width: 1_280, height: 720 } as const;

/** Whether an expectation is about the image or PDF itself, so that any tool can be checked. */
export const isAboutImage = (each: Expectation): boolean =>
  !('quality' in each || 'error' in each || 'wait' in each || 'banner' in each);

/** Whether other tools can capture a case. */
export function isForPeers({ peers, kind = 'screenshot', options, expect }: Case): boolean {
  return peers ?? (kind === 'screenshot' && !options?.block_cookie_banners && expect.some(isAboutImage));
}
