import type { Case } from '../case.ts';

export const pdf: Case[] = [];
