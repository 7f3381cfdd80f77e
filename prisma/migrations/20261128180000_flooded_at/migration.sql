-- AlterTable
ALTER TABLE "account_turn" ADD COLUMN     "flooded_at" TIMESTAMPTZ(3);
