import { z } from 'zod';
import type { AddFault } from './fill-page.ts';

/** The default quality of a jpeg or webp. */
export const defaultQuality = 80;

/** The options of image captures. */
export const imageFields = {
  format: z.enum(['png', 'jpeg', 'webp']).default('png').meta({
    description: 'The image format.',
    example: 'webp',
  }),
  quality: z.int().min(1).max(100).optional().meta({
    description: 'Quality of a jpeg or webp; not allowed for png.',
    unit: 'percent',
    default: defaultQuality,
    example: 90,
  }),
};

type ImageGiven = z.output<z.ZodObject<typeof imageFields>>;

export function checkImage({ format, quality }: ImageGiven, fault: AddFault): void {
  if (quality !== undefined && format === 'png') fault('quality', 'is not an option of png');
}

/** The quality that is asked for; none for a png. */
export function qualityOf({ format, quality = defaultQuality }: ImageGiven): { quality?: number } {
  return format === 'png' ? {} : { quality };
}
