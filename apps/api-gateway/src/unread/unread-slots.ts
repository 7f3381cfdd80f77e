import { createAccountSlots } from '../limits/account-slots.ts';

/**
 * Large responses in JSON that the clients of one account have not read yet, at most. Each has up to 6 MB, and stays in memory
 * until it is read, or its client is disconnected because it reads too slowly. The next ones keep their requests' slots.
 */
export const unreadAtOnce = 16;

export const createUnreadSlots = () => createAccountSlots(unreadAtOnce);

/**
 * The same for results with files that agents have not read yet. Each takes some 10 MB. The others wait before they load their
 * files.
 */
export const unreadResultsAtOnce = 16;

export const createAgentResultSlots = () => createAccountSlots(unreadResultsAtOnce);
