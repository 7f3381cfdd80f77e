-- CreateTable
CREATE TABLE "preset" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "latest" BOOLEAN NOT NULL,
    "options" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "preset_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "preset_account_id_name_version_key" ON "preset"("account_id", "name", "version" DESC);

-- CreateIndex
CREATE INDEX "preset_account_id_latest_id_idx" ON "preset"("account_id", "latest", "id" DESC);

-- AddForeignKey
ALTER TABLE "preset" ADD CONSTRAINT "preset_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Few presets have secrets: those that a new SECRET_KEY re-encrypts.
CREATE INDEX "preset_secrets_idx" ON "preset"("id") WHERE "options" ? '*sealed';
