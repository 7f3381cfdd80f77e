-- migrate: outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "receiver_account_due_idx";

-- What of one account is due, by kind: a claim takes the first few of each account, however many hosts one of them has.
CREATE INDEX CONCURRENTLY "receiver_account_due_idx" ON "receiver"("account_id", "prompt", "next_due_at")
  WHERE "next_due_at" IS NOT NULL;
