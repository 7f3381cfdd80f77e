-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "begun_attempt" INTEGER NOT NULL DEFAULT 0;

-- What is claimed now: where the claims of lost dispatchers are found without a look at the backlog.
CREATE INDEX "delivery_lease_idx" ON "delivery"("lease_until") WHERE "status" = 'pending' AND "lease_until" IS NOT NULL;
