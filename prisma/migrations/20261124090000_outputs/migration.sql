-- AlterTable
ALTER TABLE "capture" ADD COLUMN "outputs" JSONB;
