-- AlterTable
ALTER TABLE "account" ADD COLUMN     "email_verified_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "account_id" TEXT;

-- CreateTable
CREATE TABLE "sign_in_link" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "account_id" TEXT,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "token_hash" BYTEA,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_link_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_link_token_hash_key" ON "sign_in_link"("token_hash");

-- CreateIndex
CREATE INDEX "sign_in_link_account_id_requested_at_idx" ON "sign_in_link"("account_id", "requested_at");

-- CreateIndex
CREATE INDEX "sign_in_link_due_at_idx" ON "sign_in_link"("due_at");

-- CreateIndex
CREATE INDEX "sign_in_link_requested_at_idx" ON "sign_in_link"("requested_at");

-- AddForeignKey
ALTER TABLE "sign_in_link" ADD CONSTRAINT "sign_in_link_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- A session of a sign-in link belongs to an account, not to a key.
ALTER TABLE "session" DROP CONSTRAINT "session_key_check";
ALTER TABLE "session" ADD CONSTRAINT "session_of_one_check" CHECK (num_nonnulls("key_id", "operator_fingerprint", "account_id") = 1) NOT VALID;
