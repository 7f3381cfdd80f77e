import { z } from 'zod';
import { type OutputKind, outputKinds } from '../events/events.ts';
import { selectionFields } from './content-fields.ts';
import { type AddFault, resolveViewport, type Viewport } from './fill-page.ts';
import {
  cardFields,
  checkCard,
  checkScreenshotFields,
  ogImageSize,
  resolveQuality,
  screenshotFields,
} from './image-options.ts';
import { viewportFields } from './page-options.ts';
import { checkPdf, fillPdf, pdfFields } from './pdf-fields.ts';

/** The option `outputs`: further files of one visit to a page. */

/** The most outputs in addition to the capture's main file. */
export const outputsAtMost = 10;

const outputName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, {
    error: 'must be up to 40 lower-case letters, digits, hyphens or underscores',
  })
  .optional()
  .meta({ description: 'Its name in the record; its kind unless given.', example: 'phone' });

function commonFields<Kind extends OutputKind>(kind: Kind) {
  return { kind: z.literal(kind), name: outputName };
}

const { only_main_content: onlyMain } = selectionFields;

const wholeHtml = {
  ...selectionFields,
  only_main_content: onlyMain.unwrap().default(false).meta({
    description: 'Only the main content, without what surrounds it. By default the document as rendered.',
    example: true,
  }),
};

const { width, height, device_scale_factor: scale, device } = viewportFields;

const output = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      ...commonFields('screenshot'),
      width: width.unwrap().optional().meta({ description: 'Width of the viewport; default that of the capture.' }),
      height: height.unwrap().optional().meta({ description: 'Height of the viewport; default that of the capture.' }),
      device_scale_factor: scale
        .unwrap()
        .optional()
        .meta({ description: 'Device pixels per CSS pixel; default as of the capture.' }),
      device: device.unwrap().optional().meta({ description: 'A device name. The page is loaded again for it.' }),
      dark_mode: z
        .boolean()
        .optional()
        .meta({ description: 'Prefer a dark colour scheme, or a light one; default as of the capture.' }),
      ...screenshotFields,
    }),
    z.strictObject({ ...commonFields('pdf'), ...pdfFields }),
    z.strictObject({ ...commonFields('og_image'), ...cardFields }),
    z.strictObject({ ...commonFields('html'), ...wholeHtml }),
    z.strictObject(commonFields('mhtml')),
    z.strictObject({ ...commonFields('markdown'), ...selectionFields }),
    z.strictObject({ ...commonFields('text'), ...selectionFields }),
    z.strictObject(commonFields('metadata')),
    z.strictObject({ ...commonFields('links'), ...selectionFields }),
    z.strictObject(commonFields('accessibility')),
    z.strictObject(commonFields('har')),
  ],
  { error: `must be one of ${outputKinds.join(', ')}` },
);

export const outputsField = {
  outputs: z
    .array(output)
    .max(outputsAtMost)
    .optional()
    .meta({
      description: `Further files of the same visit, up to ${outputsAtMost}: each a \`kind\`, a \`name\` of your own and options of that kind. They show the same moment as the capture's own file, are listed after it as \`outputs\` in the record, and cost nothing. A kind without options may be written as text: \`["pdf", "markdown"]\`.`,
      example: [{ kind: 'pdf', paper: 'A4' }, { kind: 'markdown' }],
    }),
};

type GivenOutput = z.output<typeof output>;

/** The options on which the faults of outputs depend. */
interface GivenCapture {
  outputs?: readonly GivenOutput[] | undefined;
}

/** @param describe called only if there are outputs, because this check runs for each item of a batch. */
export function checkOutputs(given: GivenCapture, describe: () => OfCapture, fault: AddFault): void {
  const { outputs = [] } = given;
  if (outputs.length === 0) return;
  const of = describe();
  const { ownName } = of;
  const names = new Set([ownName]);
  for (const [index, each] of outputs.entries()) {
    const at: AddFault = (field, message) => fault(`outputs.${index}.${field}`, message);
    if (each.name !== undefined && names.has(each.name)) {
      at('name', each.name === ownName ? "is the name of the capture's own file" : 'is the name of another output');
    }
    if (each.name !== undefined) names.add(each.name);
    if (each.kind === 'screenshot') checkScreenshot(each, at);
    if (each.kind === 'pdf') checkPdf(each, at);
    if (each.kind === 'og_image') checkCard(each, at);
  }
  const visits = planVisits(
    of,
    fillOutputs(given, () => of),
  ).length;
  if (visits > visitsAtMost) {
    fault(
      'outputs',
      `must load the page at most ${visitsAtMost} times; these need ${visits}, so capture some separately`,
    );
  }
}

function checkScreenshot(given: Extract<GivenOutput, { kind: 'screenshot' }>, at: AddFault): void {
  checkScreenshotFields(given, at);
  if (given.device === undefined) return;
  for (const name of ['width', 'height', 'device_scale_factor'] as const) {
    if (given[name] !== undefined) at(name, 'cannot be combined with device');
  }
}

/** Whether one of the outputs shows more than the first screen, so that the page has to be scrolled. */
export function showsFullPage({ outputs = [] }: GivenCapture): boolean {
  return outputs.some(
    (each) => (each.kind === 'screenshot' && each.full_page) || (each.kind === 'pdf' && each.single_page),
  );
}

export function showsImages({ outputs = [] }: GivenCapture): boolean {
  return outputs.some(({ kind }) => ['screenshot', 'pdf', 'og_image', 'mhtml'].includes(kind));
}

/** The capture's settings that its outputs inherit. */
export interface OfCapture extends Viewport {
  ownName: string;
  dark_mode: boolean;
  /** The `media` option as the client gave it. */
  media?: 'screen' | 'print' | undefined;
  /** Whether the capture's main file shows more than the first screen, for which the page is changed. */
  grows: boolean;
}

/** Returns the outputs with every default filled in; undefined if there are none. @param describe see `checkOutputs`. */
export function fillOutputs({ outputs = [] }: GivenCapture, describe: () => OfCapture) {
  if (outputs.length === 0) return undefined;
  const of = describe();
  const taken = new Set([of.ownName, ...outputs.flatMap(({ name }) => name ?? [])]);
  const freeName = (kind: OutputKind) => {
    let name: string = kind;
    for (let number = 2; taken.has(name); number += 1) name = `${kind}-${number}`;
    taken.add(name);
    return name;
  };
  return outputs.map((each) => ({ ...fillOutput(each, of), name: each.name ?? freeName(each.kind) }));
}

function fillOutput(given: GivenOutput, of: OfCapture) {
  switch (given.kind) {
    case 'screenshot': {
      const { width: _width, height: _height, device: name, dark_mode = of.dark_mode, ...options } = given;
      const screen = name === undefined ? sizedLike(of, given) : resolveViewport({ device: name });
      return { ...options, ...screen, ...resolveQuality(given), dark_mode };
    }
    case 'pdf':
      return { ...fillPdf(given), media: of.media ?? 'print' };
    case 'og_image':
      return {
        ...given,
        ...sizedLike(of, { ...ogImageSize, device_scale_factor: 1 }),
        ...resolveQuality(given),
        theme: given.theme ?? 'auto',
      };
    case 'html':
    case 'markdown':
    case 'text':
    case 'links':
    case 'metadata':
      return { ...given, format: given.kind };
    default:
      return given;
  }
}

function sizedLike(
  { width, height, device_scale_factor, is_mobile, has_touch, is_landscape, user_agent }: Viewport,
  given: { width?: number | undefined; height?: number | undefined; device_scale_factor?: number | undefined },
): Viewport {
  return {
    width: given.width ?? width,
    height: given.height ?? height,
    device_scale_factor: given.device_scale_factor ?? device_scale_factor,
    ...{ is_mobile, has_touch, is_landscape },
    ...(user_agent !== undefined && { user_agent }),
  };
}

/** The most times that one capture loads its page. */
export const visitsAtMost = 4;

/**
 * Assigns the outputs to visits of the page; the first visit also makes the capture's main file. Another device needs another
 * visit. To show more than the first screen, a page is changed for its viewport, which cannot be undone, so another viewport also
 * needs another visit.
 *
 * @returns the indexes of the outputs of each visit.
 */
export function planVisits(of: OfCapture, outputs: readonly FilledOutput[] = []): number[][] {
  const visits = [{ visitor: describeVisitor(of), grown: of.grows ? describeSize(of) : null, outputs: [] as number[] }];
  for (const [index, each] of outputs.entries()) {
    const screen = each.kind === 'screenshot' ? each : of;
    const visitor = describeVisitor(screen);
    const size = grows(each) ? describeSize(screen) : null;
    const fits = (visit: (typeof visits)[number]) =>
      visit.visitor === visitor && (size === null || visit.grown === null || visit.grown === size);
    const found = visits.find(fits);
    const visit = found ?? { visitor, grown: null, outputs: [] };
    if (!found) visits.push(visit);
    visit.grown ??= size;
    visit.outputs.push(index);
  }
  return visits.map((visit) => visit.outputs);
}

/** Whether an output is drawn in a viewport that has grown. */
export function grows(each: FilledOutput): boolean {
  if (each.kind === 'pdf') return true;
  return each.kind === 'screenshot' && isGrownScreenshot(each);
}

export function isGrownScreenshot(image: {
  full_page: boolean;
  selector?: string | undefined;
  clip?: object | undefined;
}) {
  return image.full_page || image.selector !== undefined || image.clip !== undefined;
}

const describeVisitor = ({ is_mobile, has_touch, is_landscape, user_agent }: Viewport) =>
  JSON.stringify([is_mobile, has_touch, is_landscape, user_agent]);

const describeSize = ({ width, height }: Viewport) => `${width} ${height}`;

/** An output with every default filled in. */
export type FilledOutput = NonNullable<ReturnType<typeof fillOutputs>>[number];
