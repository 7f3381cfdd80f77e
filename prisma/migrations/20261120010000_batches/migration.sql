-- AlterTable
ALTER TABLE "account" ADD COLUMN     "last_fed_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "capture" ADD COLUMN     "batch_id" TEXT,
ADD COLUMN     "batch_index" INTEGER,
ADD COLUMN     "cached" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "fingerprint" BYTEA,
ADD COLUMN     "metadata" JSONB;

-- AlterTable
ALTER TABLE "event" ADD COLUMN     "batch_id" TEXT,
ADD COLUMN     "count" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "batch" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'processing',
    "total" INTEGER NOT NULL,
    "succeeded" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "cancelled" INTEGER NOT NULL DEFAULT 0,
    "webhook_url" TEXT,
    "share_page" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "last_fed_at" TIMESTAMPTZ(6),

    CONSTRAINT "batch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency" (
    "account_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "capture_id" TEXT,
    "answer" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateTable
CREATE TABLE "worker" (
    "id" TEXT NOT NULL,
    "pages" INTEGER NOT NULL,
    "heartbeat_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "worker_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "batch_account_id_id_idx" ON "batch"("account_id", "id" DESC);

-- CreateIndex
CREATE INDEX "idempotency_created_at_idx" ON "idempotency"("created_at");

-- CreateIndex
CREATE INDEX "capture_account_id_status_id_idx" ON "capture"("account_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "capture_batch_id_batch_index_idx" ON "capture"("batch_id", "batch_index");

-- CreateIndex
CREATE INDEX "capture_completed_at_idx" ON "capture"("completed_at");

-- CreateIndex
CREATE UNIQUE INDEX "event_batch_id_name_count_key" ON "event"("batch_id", "name", "count");

-- AddForeignKey
ALTER TABLE "capture" ADD CONSTRAINT "capture_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batch"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch" ADD CONSTRAINT "batch_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency" ADD CONSTRAINT "idempotency_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What waits for its turn, in the order in which turns are given: an account's single captures, then its batches' items.
DROP INDEX "capture_queued_idx";

CREATE INDEX "capture_waiting_idx" ON "capture"("account_id", "batch_id", "batch_index", "id")
    WHERE "status" = 'queued' AND "enqueued_at" IS NULL;

-- What is in the queue or being rendered.
CREATE INDEX "capture_in_flight_idx" ON "capture"("enqueued_at")
    WHERE "status" = 'queued' AND "enqueued_at" IS NOT NULL;

-- Files: whose time is over, and who else uses one.
CREATE INDEX "capture_file_expiry_idx" ON "capture"("expires_at") WHERE "storage_key" IS NOT NULL;

CREATE INDEX "capture_file_idx" ON "capture"("storage_key") WHERE "storage_key" IS NOT NULL;

-- An earlier equal capture that still has its file.
CREATE INDEX "capture_equal_idx" ON "capture"("account_id", "fingerprint", "completed_at" DESC)
    WHERE "status" = 'completed' AND "storage_key" IS NOT NULL AND "fingerprint" IS NOT NULL;

ALTER TABLE "batch" ADD CONSTRAINT "batch_status_check" CHECK ("status" IN ('processing', 'completed', 'cancelled'));

ALTER TABLE "batch" ADD CONSTRAINT "batch_count_check" CHECK ("succeeded" + "failed" + "cancelled" <= "total");
