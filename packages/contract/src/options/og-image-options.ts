import { z } from 'zod';
import { type AddFault, checkPage, filledWith, fillPage, refuse, type Viewport } from './fill-page.ts';
import { cardFields, checkCard, ogImageSize, resolveQuality } from './image-options.ts';
import { checkOutputs, fillOutputs, type OfCapture, outputsField, showsFullPage } from './outputs.ts';
import { pageFields, userAgentField } from './page-options.ts';
import { keepingFields, respondingFields } from './request-options.ts';

const fields = {
  ...pageFields,
  ...userAgentField,
  ...cardFields,
  ...outputsField,
};

type Given = z.output<z.ZodObject<typeof fields>>;

function ogViewport({ user_agent }: Given): Viewport {
  return {
    ...ogImageSize,
    device_scale_factor: 1,
    is_mobile: false,
    has_touch: false,
    is_landscape: false,
    ...(user_agent !== undefined && { user_agent }),
  };
}

function ofCapture(given: Given): OfCapture {
  const { dark_mode, media } = given;
  return { ...ogViewport(given), dark_mode, media, ownName: 'og_image', grows: false };
}

function check(given: Given, fault: AddFault): void {
  checkPage(given, fault);
  checkCard(given, fault);
  checkOutputs(given, () => ofCapture(given), fault);
}

function fill<Asked extends Given>(given: Asked) {
  const { theme = 'auto' } = given;
  const viewport = ogViewport(given);
  const page = fillPage(given, { scroll: showsFullPage(given), media: 'screen' });
  const outputs = fillOutputs(given, () => ofCapture(given));
  return filledWith(given, viewport, page, { ...resolveQuality(given), theme, outputs });
}

export const ogImageItem = z
  .strictObject({ ...fields, ...keepingFields })
  .superRefine(refuse(check))
  .transform(fill);

export const ogImageRequest = z
  .strictObject({ ...fields, ...keepingFields, ...respondingFields })
  .superRefine(refuse(check))
  .transform(fill);

/** A request as a client may write it. */
export type OgImageRequestInput = z.input<typeof ogImageRequest>;

/** A request with every default filled in; its viewport is that of an OG image. */
export type OgImageRequest = z.output<typeof ogImageRequest>;
