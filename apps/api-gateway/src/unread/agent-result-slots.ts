import { createAccountSlots } from '../limits/account-slots.ts';

/**
 * Results with files that the agents of one account have not read yet, at most. Each takes some 10 MB until its client has
 * read it, or is disconnected because it reads too slowly. The others wait before they load their files.
 */
export const unreadResultsAtOnce = 16;

export const createAgentResultSlots = () => createAccountSlots(unreadResultsAtOnce);
