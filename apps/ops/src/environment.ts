import type { Platform } from './find-platform.ts';
import type { Printer } from './print.ts';

/** The environment that commands share. The first call looks up the platform, so `--help` works without a platform. */
export interface Surroundings {
  env: Record<string, string | undefined>;
  platform(): Platform;
  printer(): Printer;
}
