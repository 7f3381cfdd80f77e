import type { Service } from '../../contract/src/translations/translate.ts';

/** Returns a document with the option table of each service between its markers. */
export function withTables(document: string, services: readonly Pick<Service, 'name' | 'table'>[]): string;
