import type * as accounts from '@capture/contract/api/account-responses';
import type * as links from '@capture/contract/api/link-schemas';
import type * as operators from '@capture/contract/api/operator-responses';
import type * as presets from '@capture/contract/api/preset-requests';
import type * as captures from '@capture/contract/api/responses';
import type * as webhooks from '@capture/contract/api/webhook-responses';

/** The response types of the API come from the contract as types only: the page contains no schemas. */

type Of<Schema extends { parse: (given: unknown) => unknown }> = ReturnType<Schema['parse']>;

export type { Receipt } from '@capture/contract/api/receipt';
export type { CaptureRecord, CaptureStatus } from '@capture/contract/api/responses';
export type { CaptureType } from '@capture/contract/events/events';
export type { LinkPolicy } from '@capture/contract/links/link-policy';
export type { Quality } from '@capture/contract/quality';

export type Account = Of<typeof accounts.account>;
export type Registration = Of<typeof accounts.registration>;
export type Session = Of<typeof accounts.session>;
export type SignInLink = Of<typeof accounts.signInLink>;
export type Key = Of<typeof accounts.keyRow>;
export type IssuedKey = Of<typeof accounts.issuedKey>;
export type RotatedKey = Of<typeof accounts.rotatedKey>;
export type SigningSecret = Of<typeof accounts.signingSecret>;
export type RotatedSecret = Of<typeof accounts.rotatedSecret>;
export type DailyUsage = Of<typeof accounts.dailyUsage>;

export type StoredPreset = Of<typeof presets.presetRecord>;

export type NewLinkSecret = Of<typeof links.linkSecret>;
export type LinkSecretFacts = Of<typeof links.linkSecretFacts>;
export type LinkRequest = Of<typeof links.newLink>;
export type SignedLink = Of<typeof links.signedLink>;

export type AccountRow = Of<typeof accounts.accountRow>;
export type IssuedSecret = Of<typeof accounts.issuedSecret>;
export type EncryptedCount = Of<typeof accounts.encryptedCount>;
export type QueueList = Of<typeof accounts.queueList>;
export type OperatorCapture = Of<typeof operators.operatorCapture>;
export type Deployment = Of<typeof operators.deployment>;
export type ProcessList = Of<typeof operators.processList>;
export type ProcessReport = Of<typeof operators.processReport>;
export type CleanupJobList = Of<typeof operators.cleanupJobList>;
export type Activity = Of<typeof operators.activity>;

export type Acceptance = Of<typeof captures.acceptance>;
export type Batch = Of<typeof captures.batchRecord>;
export type BatchAcceptance = Of<typeof captures.batchAcceptance>;
export type BatchResult = Of<typeof captures.batchResult>;
export type BatchWithResults = Of<typeof captures.batchWithResults>;
export type ErrorBody = Of<typeof captures.errorBody>;

export type Endpoint = Of<ReturnType<typeof webhooks.endpoint>>;
export type RegisteredEndpoint = Of<ReturnType<typeof webhooks.registeredEndpoint>>;
export type EndpointStatistics = Of<typeof webhooks.endpointStatistics>;
export type Delivery = Of<ReturnType<typeof webhooks.delivery>>;
export type DeliveryWithAttempts = Of<ReturnType<typeof webhooks.deliveryWithAttempts>>;
export type TestOutcome = Of<typeof webhooks.testOutcome>;
export type Replayable = Of<typeof webhooks.replayable>;
export type Replayed = Of<typeof webhooks.replayed>;
