import { z } from 'zod';

/** The CSS pixels of each unit. */
const pixelsIn: Readonly<Record<string, number>> = { mm: 96 / 25.4, cm: 96 / 2.54, in: 96, px: 1 };

const grammar = /^(\d{1,6}(?:\.\d{1,6})?)(mm|cm|in|px)$/;

/** A PDF's page is at most 200 inches wide and high. */
const longestPx = 200 * 96;

/** @returns CSS pixels; null if the text is not a length. */
function parseLength(text: string | number): number | null {
  if (text === 0 || text === '0') return 0;
  const [, number, unit = ''] = grammar.exec(String(text)) ?? [];
  return number === undefined ? null : Number(number) * (pixelsIn[unit] ?? 0);
}

/** Returns a length that the schema has checked, in CSS pixels. */
export function toPixels(text: string | 0): number {
  return parseLength(text) ?? 0;
}

const form = 'must be a length such as 10mm, 2.5cm, 8.5in, 300px or 0';

/** Accepts a length as text, or 0 as a number. @param least the smallest length, CSS pixels. */
export function length(least: number) {
  return z.union(
    [
      z.literal(0).refine(() => least === 0, { error: `must be at least ${least}px` }),
      z.string().superRefine((text, context) => {
        const pixels = parseLength(text);
        if (pixels === null) context.addIssue({ code: 'custom', message: form });
        else if (pixels < least) context.addIssue({ code: 'custom', message: `must be at least ${least}px` });
        else if (pixels > longestPx) context.addIssue({ code: 'custom', message: 'must be at most 200in' });
      }),
    ],
    { error: form },
  );
}
