import type { Case } from '../case.ts';

export const fullPage: Case[] = [];
