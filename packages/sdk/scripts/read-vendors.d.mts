import type { Service } from '../../contract/src/translations/service.ts';

export interface Vendor {
  id: string;
  service: Service;
  /** In Markdown. */
  guide: string;
}

/** Each vendor of `packages/contract/src/compat`, by the name of its folder. */
export function readVendors(): Promise<Vendor[]>;
