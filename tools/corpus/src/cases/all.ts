import type { Case } from '../case.ts';
import { banner } from './banner.ts';
import { compared } from './compared.ts';
import { element } from './element.ts';
import { fullPage } from './full-page.ts';
import { libraries } from './libraries.ts';
import { motion } from './motion.ts';
import { pdf } from './pdf.ts';
import { quality } from './quality.ts';
import { scripts } from './scripts.ts';
import { waiting } from './waiting.ts';

/** Every case, in the order of the report. */
export const allCases: readonly Case[] = [
  ...waiting,
  ...motion,
  ...fullPage,
  ...element,
  ...quality,
  ...banner,
  ...pdf,
  ...scripts,
  ...libraries,
  ...compared,
];
