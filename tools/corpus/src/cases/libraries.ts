import type { Case } from '../case.ts';
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

/** Pages made with real libraries, as their own examples use them. */
export const libraries: Case[] = [
  ...revealing,
  ...moving,
  ...images,
  ...scrolling,
  ...frameworks,
  ...charts,
  ...documents,
  ...widgets,
  ...consent,
  ...demos,
];
