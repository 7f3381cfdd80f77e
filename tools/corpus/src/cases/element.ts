import type { Case } from '../case.ts';

export const element: Case[] = [];
