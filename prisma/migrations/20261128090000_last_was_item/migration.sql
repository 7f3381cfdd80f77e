-- AlterTable
ALTER TABLE "account_turn" ADD COLUMN     "last_was_item" BOOLEAN NOT NULL DEFAULT false;
