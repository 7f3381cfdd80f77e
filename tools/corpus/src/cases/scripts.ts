import type { Case } from '../case.ts';

export const scripts: Case[] = [];
