-- AlterTable
ALTER TABLE "capture" ADD COLUMN "extracted" JSONB;
