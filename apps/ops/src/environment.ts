import type { Platform } from './find-platform.ts';
import type { Printer } from './print.ts';

/** What a command works with. The platform is looked for when it is asked for, so that `--help` needs none. */
export interface Surroundings {
  env: Record<string, string | undefined>;
  platform(): Platform;
  printer(): Printer;
}
