import { z } from 'zod';
import { type AddFault, checkPage, filledWith, fillPage, refuse, resolveViewport } from './fill-page.ts';
import { checkScreenshotFields, resolveQuality, screenshotFields } from './image-options.ts';
import {
  checkOutputs,
  fillOutputs,
  isGrownScreenshot,
  type OfCapture,
  outputsField,
  showsFullPage,
} from './outputs.ts';
import { pageFields, userAgentField, viewportFields } from './page-options.ts';
import { keepingFields, respondingFields } from './request-options.ts';

const fields = {
  ...pageFields,
  ...viewportFields,
  ...userAgentField,
  ...screenshotFields,
  ...outputsField,
};

type Given = z.output<z.ZodObject<typeof fields>>;

function ofCapture(given: Given): OfCapture {
  const { dark_mode, media } = given;
  return { ...resolveViewport(given), dark_mode, media, ownName: 'screenshot', grows: isGrownScreenshot(given) };
}

function check(given: Given, fault: AddFault): void {
  checkPage(given, fault);
  checkScreenshotFields(given, fault);
  checkOutputs(given, () => ofCapture(given), fault);
}

function fill<Asked extends Given>(given: Asked) {
  const viewport = resolveViewport(given);
  const page = fillPage(given, { scroll: given.full_page || showsFullPage(given), media: 'screen' });
  const outputs = fillOutputs(given, () => ofCapture(given));
  return filledWith(given, viewport, page, { ...resolveQuality(given), outputs });
}

export const screenshotItem = z
  .strictObject({ ...fields, ...keepingFields })
  .superRefine(refuse(check))
  .transform(fill);

export const screenshotRequest = z
  .strictObject({ ...fields, ...keepingFields, ...respondingFields })
  .superRefine(refuse(check))
  .transform(fill);

/** A request as a client may write it. */
export type ScreenshotRequestInput = z.input<typeof screenshotRequest>;

/** A request with every default filled in. */
export type ScreenshotRequest = z.output<typeof screenshotRequest>;
