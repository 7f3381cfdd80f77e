import { browser } from './browser.ts';
import { certificates } from './certificates.ts';
import type { Group } from './check.ts';
import { cleanupJobs } from './cleanup-jobs.ts';
import { dataFolder } from './data-folder.ts';
import { database } from './database.ts';
import { egress } from './egress.ts';
import { gateway } from './gateway.ts';
import { mail } from './mail.ts';
import { node } from './node.ts';
import { processes } from './processes.ts';
import { queues } from './queues.ts';
import { redis } from './redis.ts';
import { secrets } from './secrets.ts';
import { storage } from './storage.ts';

/** All groups. A fault in a group explains faults in later groups. */
export const groups: readonly Group[] = [
  node,
  dataFolder,
  database,
  redis,
  storage,
  secrets,
  gateway,
  processes,
  queues,
  cleanupJobs,
  browser,
  egress,
  certificates,
  mail,
];
