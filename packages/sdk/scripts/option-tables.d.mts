import type { Service } from '../../contract/src/translations/translate.ts';

/** A document with the option table of each service between its marks. */
export function withTables(document: string, services: readonly Pick<Service, 'name' | 'table'>[]): string;
