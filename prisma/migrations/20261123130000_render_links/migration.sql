-- AlterTable
ALTER TABLE "account" ADD COLUMN     "link_policy" JSONB,
ADD COLUMN     "link_secret" TEXT,
ADD COLUMN     "link_secret_created_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_link_secret" TEXT,
ADD COLUMN     "previous_link_secret_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "usage" ADD COLUMN     "link_day" DATE,
ADD COLUMN     "link_renders" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "link_render" (
    "account_id" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "capture_id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "link_render_pkey" PRIMARY KEY ("account_id","fingerprint")
);

-- CreateIndex
CREATE INDEX "link_render_started_at_idx" ON "link_render"("started_at");

-- AddForeignKey
ALTER TABLE "link_render" ADD CONSTRAINT "link_render_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
