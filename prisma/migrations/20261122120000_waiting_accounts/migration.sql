-- CreateTable
CREATE TABLE "waiting_account" (
    "account_id" TEXT NOT NULL,
    "waiting_since" TIMESTAMPTZ(6) NOT NULL,
    "changes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "waiting_account_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "waiting_account_waiting_since_account_id_idx" ON "waiting_account"("waiting_since", "account_id");

-- AddForeignKey
ALTER TABLE "waiting_account" ADD CONSTRAINT "waiting_account_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
