import type { WaitEnd } from '@capture/contract/api/wait-ends';

export type { WaitEnd };

/** What in view is missing when a wait ends without it: kinds of requests, and reasons to wait that last. */
export type Unfinished = 'image' | 'frame' | 'style sheet' | 'data' | WaitEnd;
