import type { Case } from '../case.ts';

export const banner: Case[] = [];
