import { z } from 'zod';

/** Why an image or PDF may differ from the page that a visitor would see, each with a sentence about the capture. */
export const qualityReasons = {
  blank: 'The page shows nothing: one colour, and no text or images.',
  incomplete: 'Images, fonts, style sheets or other content in view did not arrive.',
  truncated:
    'The page was cut off in the middle: the connection ended before all of it had arrived, or its content exceeds the limits of reading.',
  challenge: 'The site asked its visitor to prove to be human, or blocked the visit, in place of the page.',
  login_wall: 'The page is a sign-in form; the content is behind it.',
  error_page: 'The page is an error page: an HTTP status of 400 or above, or the error screen of a framework.',
  overlay: 'Something that is not part of the content covers most of the view: a preloader, a backdrop or a dialog.',
  blocked_content:
    'Content in view was blocked: by the address rules of this service, or because its site refuses frames.',
} as const;

export type QualityReason = keyof typeof qualityReasons;

export const qualityReasonNames = Object.keys(qualityReasons) as QualityReason[];

const reasons = z.array(z.enum(qualityReasonNames));

/** The result of the check that the platform makes before it completes a capture. */
export const quality = z.strictObject({
  ok: z.boolean().meta({ description: 'Whether there is no reason to doubt the capture.' }),
  reasons: reasons.meta({ description: 'What is wrong with it.', example: ['incomplete'] }),
  repaired: reasons.meta({ description: 'What was wrong at the first try; the second try is without it.' }),
});

export type Quality = z.output<typeof quality>;
