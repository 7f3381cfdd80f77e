import type { Case } from '../case.ts';
import { late } from './full-page-late.ts';
import { layers } from './full-page-layers.ts';
import { lengths } from './full-page-lengths.ts';
import { reveals } from './full-page-reveals.ts';
import { scrollers } from './full-page-scrollers.ts';

/** Everything on a page, from its top to its end. */
export const fullPage: Case[] = [...layers, ...reveals, ...late, ...scrollers, ...lengths];
