import type { Case } from '../case.ts';

export const waiting: Case[] = [];
