import type { Platform } from './find-platform.ts';
import type { Printer } from './print.ts';

/** What commands share. The platform is looked up on the first call, so `--help` works without one. */
export interface Surroundings {
  env: Record<string, string | undefined>;
  platform(): Platform;
  printer(): Printer;
}
