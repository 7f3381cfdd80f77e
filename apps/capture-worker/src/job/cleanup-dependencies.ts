import type { Database } from '@capture/database/database';
import type { Logger } from '@capture/runtime/service/log';
import type { Storage } from '@capture/storage/storage';

export interface CleanupDependencies {
  database: Pick<Database, 'pool'>;
  storage: Storage;
  log: Logger;
  /** Whether the process is stopping. Then a run ends early, and another process resumes the work. */
  stopping?: () => boolean;
}
