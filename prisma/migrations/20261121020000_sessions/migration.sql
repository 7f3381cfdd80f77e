-- AlterTable
ALTER TABLE "account" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "key_id" TEXT,
    "operator_fingerprint" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "session_key_id_idx" ON "session"("key_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_key"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- It stands in for one key, an account's or the operator's.
ALTER TABLE "session" ADD CONSTRAINT "session_key_check" CHECK (num_nonnulls("key_id", "operator_fingerprint") = 1);

-- What is deleted and not yet gone.
CREATE INDEX "account_deleted_idx" ON "account"("deleted_at") WHERE "deleted_at" IS NOT NULL;

-- What was given again, by the time of the request: with "capture_account_id_status_id_idx" it tells a day's usage from
-- indexes alone.
CREATE INDEX "capture_cached_idx" ON "capture"("account_id", "id") WHERE "cached";
