import type { Case } from '../case.ts';

export const libraries: Case[] = [];
