-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "next_trigger" TEXT NOT NULL DEFAULT 'schedule',
ADD COLUMN     "retry_asked" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "webhook_id" TEXT,
ADD COLUMN     "dispatcher_id" TEXT,
ADD COLUMN     "host" TEXT NOT NULL GENERATED ALWAYS AS (lower(coalesce(substring("url" from '^[^:]+://([^/?#]+)'), ''))) STORED;

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'active',
    "disabled_reason" TEXT,
    "signing_secret" TEXT NOT NULL,
    "previous_signing_secret" TEXT,
    "previous_signing_secret_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "receiver" (
    "account_id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "next_due_at" TIMESTAMPTZ(3),
    "at_limit" BOOLEAN NOT NULL DEFAULT false,
    "prompt" BOOLEAN,

    CONSTRAINT "receiver_pkey" PRIMARY KEY ("account_id","host")
);

-- CreateTable
CREATE TABLE "dispatcher" (
    "id" TEXT NOT NULL,
    "places" INTEGER NOT NULL,
    "heartbeat_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispatcher_pkey" PRIMARY KEY ("id")
);

-- DropIndex
DROP INDEX "delivery_account_id_id_idx";

-- CreateIndex
CREATE INDEX "webhook_endpoint_account_id_id_idx" ON "webhook_endpoint"("account_id", "id" DESC);

-- CreateIndex
CREATE INDEX "delivery_account_id_status_id_idx" ON "delivery"("account_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "delivery_webhook_id_status_id_idx" ON "delivery"("webhook_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "delivery_status_id_idx" ON "delivery"("status", "id" DESC);

-- AddForeignKey
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receiver" ADD CONSTRAINT "receiver_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What of one receiver is due, the longest due first: a claim takes the head of each, whatever lies behind it.
CREATE INDEX "delivery_receiver_idx" ON "delivery"("account_id", "host", "next_attempt_at") WHERE "status" = 'pending';

-- The planner would take it for the one above, and read the backlog of everybody else for one receiver's head.
DROP INDEX "delivery_due_idx";

-- Receivers with something open, the longest due first.
CREATE INDEX "receiver_due_idx" ON "receiver"("next_due_at") WHERE "next_due_at" IS NOT NULL;

ALTER TABLE "delivery" DROP CONSTRAINT "delivery_status_check";

ALTER TABLE "delivery" ADD CONSTRAINT "delivery_status_check"
    CHECK ("status" IN ('pending', 'delivered', 'failed', 'paused'));

ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_status_check"
    CHECK ("status" IN ('active', 'paused', 'disabled'));

-- What was open before there were receivers.
INSERT INTO "receiver" ("account_id", "host", "next_due_at")
SELECT d."account_id", d."host", min(d."next_attempt_at") FROM "delivery" d JOIN "account" a ON a."id" = d."account_id"
 WHERE d."status" = 'pending' GROUP BY 1, 2;
