/**
 * Numbers of the advisory locks. During an upgrade two versions share them: a number keeps its meaning for ever.
 * 7_310_554 belongs to the migrations (prisma/src/migrate.ts), which know nothing of this package.
 */

/** One process at a time recovers lost captures. */
export const recoveryLock = 7_310_555;

/** One scheduling turn of captures at a time. */
export const schedulingLock = 7_310_556;

/** One round of delivery claims at a time. */
export const claimLock = 7_310_557;

/** Files are shared by cached captures: no file is reused by one process while another releases it. */
export const fileLock = 7_310_558;
