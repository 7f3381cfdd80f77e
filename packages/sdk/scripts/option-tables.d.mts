import type { Service } from '../src/migration/translate.ts';

/** A document with the option table of each service between its marks. */
export function withTables(document: string, services: readonly Pick<Service, 'name' | 'table'>[]): string;
