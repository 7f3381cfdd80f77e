import type { Area, Colour, Expectation, PdfExpectation } from './case.ts';

/** At least `least` and at most `most` pixels of the whole image have the colour. */
export const shows = (colour: Colour, least: number, most?: number): Expectation => ({
  whole: colour,
  pixels: { least, ...(most !== undefined && { most }) },
});

/** The pixel at this place has the colour; negative coordinates count from the right and the bottom. */
export const pixel = (colour: Colour, left: number, top: number): Expectation => ({ at: [left, top], is: colour });

/** No pixel of the image, or of the area, has the colour. */
export const hides = (colour: Colour, area?: Area): Expectation =>
  area ? { area, lacks: colour } : { whole: colour, pixels: { most: 0 } };

/** At least the share `least` (0 to 1) of the area has the colour. */
export const fills = (colour: Colour, area: Area, least: number): Expectation => ({ area, has: colour, least });

/** Exactly `count` blocks of the colour are stacked vertically, with rows of other colours between them. */
export const blocks = (colour: Colour, count: number): Expectation => ({ blocks: colour, count });

/** Makes the only expectation of a case that checks a PDF. */
export const prints = (pdf: PdfExpectation): Expectation[] => [{ pdf }];

/** At least `least` and at most `most` pixels of a PDF have the colour, on a page (from 1 on) or on the first 20 together. */
export const mark = (
  colour: Colour,
  least: number,
  most?: number,
  page?: number,
): NonNullable<PdfExpectation['marks']>[number] => ({
  colour,
  least,
  ...(most !== undefined && { most }),
  ...(page !== undefined && { page }),
});
