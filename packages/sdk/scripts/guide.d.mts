import type { Vendor } from './read-vendors.mjs';

/** A document whose marked regions have what is written about the vendors. */
export function withVendors(document: string, vendors: readonly Vendor[]): string;
