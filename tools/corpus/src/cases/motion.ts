import type { Case } from '../case.ts';

export const motion: Case[] = [];
