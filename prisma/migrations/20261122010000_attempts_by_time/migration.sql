-- migrate: outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "delivery_attempt_started_at_idx";

-- Attempts by the minute. Rows come in the order of their times, so an entry goes to the end of the index.
CREATE INDEX CONCURRENTLY "delivery_attempt_started_at_idx" ON "delivery_attempt"("started_at");
