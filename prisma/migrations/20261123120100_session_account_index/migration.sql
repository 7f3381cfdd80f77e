-- migrate: outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "session_account_id_idx";
CREATE INDEX CONCURRENTLY "session_account_id_idx" ON "session"("account_id");
