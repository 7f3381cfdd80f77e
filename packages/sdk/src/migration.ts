/**
 * Translates requests to other services. Each function takes a request of that service and returns ours, with a list of
 * options that have no counterpart. `docs/migration.md` has the tables of options.
 */
export * from './generated/migration.ts';
export type { TranslatedRequest, Unsupported } from './translated-request.ts';
