-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "deployment" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "contract_form" TEXT NOT NULL,

    CONSTRAINT "deployment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "plan" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "signing_secret" TEXT NOT NULL,
    "signing_secret_created_at" TIMESTAMPTZ(3) NOT NULL,
    "previous_signing_secret" TEXT,
    "previous_signing_secret_until" TIMESTAMPTZ(3),

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "name" TEXT,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage" (
    "account_id" TEXT NOT NULL,
    "month" CHAR(7) NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,
    "reserved" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "usage_pkey" PRIMARY KEY ("account_id","month")
);

-- CreateTable
CREATE TABLE "capture" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "url" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "webhook_url" TEXT,
    "month" CHAR(7) NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "lost_workers" INTEGER NOT NULL DEFAULT 0,
    "worker_id" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "enqueued_at" TIMESTAMPTZ(3),
    "format" TEXT,
    "width" INTEGER,
    "height" INTEGER,
    "file_size" INTEGER,
    "duration_ms" INTEGER,
    "storage_key" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error_message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "capture_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "capture_id" TEXT,
    "body" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "retries_used" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery_attempt" (
    "delivery_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "trigger" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "response_excerpt" TEXT,

    CONSTRAINT "delivery_attempt_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_email_key" ON "account"("email");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_account_id_id_idx" ON "api_key"("account_id", "id");

-- CreateIndex
CREATE INDEX "capture_account_id_id_idx" ON "capture"("account_id", "id" DESC);

-- CreateIndex
CREATE INDEX "event_account_id_idx" ON "event"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "event_capture_id_name_key" ON "event"("capture_id", "name");

-- CreateIndex
CREATE INDEX "delivery_event_id_idx" ON "delivery"("event_id");

-- CreateIndex
CREATE INDEX "delivery_account_id_id_idx" ON "delivery"("account_id", "id" DESC);

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage" ADD CONSTRAINT "usage_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "capture" ADD CONSTRAINT "capture_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_attempt" ADD CONSTRAINT "delivery_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say: partial indexes, so that the queries of every second read only what is open, and
-- the bounds that must hold whatever the code does.

CREATE INDEX "capture_queued_idx" ON "capture"("id") WHERE "status" = 'queued';

CREATE INDEX "capture_lease_idx" ON "capture"("lease_until") WHERE "status" = 'processing';

CREATE INDEX "delivery_due_idx" ON "delivery"("next_attempt_at") WHERE "status" = 'pending';

ALTER TABLE "account" ADD CONSTRAINT "account_status_check" CHECK ("status" IN ('active', 'suspended'));

ALTER TABLE "usage" ADD CONSTRAINT "usage_check" CHECK ("used" >= 0 AND "reserved" >= 0);

ALTER TABLE "capture" ADD CONSTRAINT "capture_status_check"
    CHECK ("status" IN ('queued', 'processing', 'completed', 'failed', 'cancelled'));

ALTER TABLE "delivery" ADD CONSTRAINT "delivery_status_check" CHECK ("status" IN ('pending', 'delivered', 'failed'));
