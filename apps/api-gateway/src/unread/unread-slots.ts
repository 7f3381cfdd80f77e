import { createAccountSlots } from '../limits/account-slots.ts';

/**
 * Large responses in JSON that the clients of one account have not read yet, at most. Each has up to 6 MB, and stays in memory
 * until it is read, or its client is disconnected because it reads too slowly. The next ones keep their requests' slots.
 */
export const unreadAtOnce = 16;

export const createUnreadSlots = () => createAccountSlots(unreadAtOnce);
