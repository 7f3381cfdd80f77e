import { z } from 'zod';
import { type AddFault, checkPage, filledWith, fillPage, refuse, resolveViewport } from './fill-page.ts';
import { checkOutputs, fillOutputs, type OfCapture, outputsField, showsFullPage } from './outputs.ts';
import { pageFields, userAgentField, viewportFields } from './page-options.ts';
import { checkPdf, fillPdf, pdfFields } from './pdf-fields.ts';
import { keepingFields, respondingFields } from './request-options.ts';

const fields = {
  ...pageFields,
  ...viewportFields,
  ...userAgentField,
  ...pdfFields,
  ...outputsField,
};

type Given = z.output<z.ZodObject<typeof fields>>;

function ofCapture(given: Given): OfCapture {
  const { dark_mode, media } = given;
  return { ...resolveViewport(given), dark_mode, media, ownName: 'pdf', grows: true };
}

function check(given: Given, fault: AddFault): void {
  checkPage(given, fault);
  checkPdf(given, fault);
  checkOutputs(given, () => ofCapture(given), fault);
}

function fill<Asked extends Given>(given: Asked) {
  const viewport = resolveViewport(given);
  const page = fillPage(given, { scroll: given.single_page || showsFullPage(given), media: 'print' });
  const outputs = fillOutputs(given, () => ofCapture(given));
  return filledWith(fillPdf(given), viewport, page, { outputs });
}

export const pdfItem = z
  .strictObject({ ...fields, ...keepingFields })
  .superRefine(refuse(check))
  .transform(fill);

export const pdfRequest = z
  .strictObject({ ...fields, ...keepingFields, ...respondingFields })
  .superRefine(refuse(check))
  .transform(fill);

/** A request as a client may write it. */
export type PdfRequestInput = z.input<typeof pdfRequest>;

/**
 * A request with every default filled in. `paper_size` (the width and height of a page after `landscape` was applied) and
 * `margins`, both in CSS pixels, replace `paper`, `paper_width`, `paper_height` and `margin`.
 */
export type PdfRequest = z.output<typeof pdfRequest>;
