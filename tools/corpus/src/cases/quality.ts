import type { Case } from '../case.ts';

export const quality: Case[] = [];
