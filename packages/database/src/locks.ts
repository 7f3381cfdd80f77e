/**
 * The numbers of the advisory locks. Two versions share them during an upgrade, so a number never changes its meaning. The
 * migrations (prisma/src/migrate.ts), which do not use this package, use 7_310_554.
 */

/** One process at a time recovers lost captures. */
export const recoveryLock = 7_310_555;

/** One scheduling turn of captures runs at a time. */
export const schedulingLock = 7_310_556;

/** One round of delivery claims runs at a time. */
export const claimLock = 7_310_557;

/** Cached captures share files, so no process may reuse a file while another process releases it. */
export const fileLock = 7_310_558;
