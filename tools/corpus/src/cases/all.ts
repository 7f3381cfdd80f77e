import type { Case } from '../case.ts';
import { banner } from './banner.ts';
import { compared } from './compared.ts';
import { element } from './element.ts';
import { late } from './full-page-late.ts';
import { layers } from './full-page-layers.ts';
import { lengths } from './full-page-lengths.ts';
import { reveals } from './full-page-reveals.ts';
import { scrollers } from './full-page-scrollers.ts';
import { charts } from './libraries-charts.ts';
import { consent } from './libraries-consent.ts';
import { demos } from './libraries-demos.ts';
import { documents } from './libraries-documents.ts';
import { frameworks } from './libraries-frameworks.ts';
import { images } from './libraries-images.ts';
import { moving } from './libraries-motion.ts';
import { revealing } from './libraries-reveal.ts';
import { scrolling } from './libraries-scrolling.ts';
import { widgets } from './libraries-widgets.ts';
import { motion } from './motion.ts';
import { pdf } from './pdf.ts';
import { quality } from './quality.ts';
import { scripts } from './scripts.ts';
import { waiting } from './waiting.ts';

/** Every case, in the order of the report. */
export const allCases: readonly Case[] = [
  ...[waiting, motion],
  // These cases test everything on a page, from its top to its end.
  ...[layers, reveals, late, scrollers, lengths],
  ...[element, quality, banner, pdf, scripts],
  // These pages use real libraries, as the libraries' own examples do.
  ...[revealing, moving, images, scrolling, frameworks, charts, documents, widgets, consent, demos],
  compared,
].flat();
