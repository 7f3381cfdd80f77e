import type { WaitEnd } from '@capture/contract/api/wait-ends';

export type { WaitEnd };

/** The missing part of the view when a wait ends: a kind of requests, or a reason to wait that lasts. */
export type Unfinished = 'image' | 'frame' | 'style sheet' | 'data' | WaitEnd;
