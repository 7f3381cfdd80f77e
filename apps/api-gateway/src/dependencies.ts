import type { ContractForm } from '@capture/contract/forms/forms';
import type { FileUrlOf } from '@capture/database/captures/batch-progress';
import type { Database } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import type { AddressRules } from '@capture/egress/address-rules';
import type { HttpsSender } from '@capture/egress/https-sender';
import type { JobQueue } from '@capture/queue/job-queue';
import type { Logger } from '@capture/runtime/log';
import type { Registry } from '@capture/runtime/metrics/metrics';
import type { Storage } from '@capture/storage/storage';
import type { Redis } from 'ioredis';
import type { SessionTokens } from './auth/session-token.ts';
import type { BatchWatcher } from './captures/batch-watcher.ts';
import type { CaptureWaiter } from './captures/capture-waiter.ts';
import type { Enqueue } from './captures/enqueue.ts';
import type { QueueEstimate } from './captures/queue-estimate.ts';
import type { ClientLimit } from './limits/client-limit.ts';
import type { RateLimiter } from './limits/rate-limit.ts';
import type { SharedStatements } from './limits/shared-statements.ts';
import type { AccountRemoval } from './operator/account-removal.ts';

/** Everything that the gateway works with, made in `main.ts`; each function takes the part it uses. */
export interface Dependencies {
  form: ContractForm;
  /** Makes the signed link to a capture's file. */
  fileUrlOf: FileUrlOf;
  log: Logger;
  database: Database;
  statements: SharedStatements;
  redis: Redis;
  captureQueue: JobQueue<'capture'>;
  enqueue: Enqueue;
  captureWaiter: CaptureWaiter;
  batchWatcher: BatchWatcher;
  queueEstimate: QueueEstimate;
  storage: Storage;
  encryptor: Encryptor;
  rateLimiter: RateLimiter;
  registrationLimit: ClientLimit;
  /** Of sign-ins that fail. */
  signInLimit: ClientLimit;
  /** Of requests whose key or session is none. */
  keyFailures: ClientLimit;
  sessionTokens: SessionTokens;
  accountRemoval: AccountRemoval;
  addressRules: AddressRules;
  /** Sends connectivity tests, as the dispatcher sends deliveries. */
  sender: HttpsSender;
  metrics: Registry;
  links: { publicUrl: string; secretKey: string; previousSecretKey?: string | undefined };
  operatorKey: string;
  /** How many proxies, or which, may say who the client is; Express' `trust proxy`. */
  trustProxy: number | string[] | false;
  /** Items of a batch at most. */
  batchMaxItems: number;
  /** Days that files are kept, in place of the plan's. */
  fileRetentionDays?: number | undefined;
  /** Milliseconds that a synchronous capture may wait for a worker. */
  queueWaitMs: number;
}
