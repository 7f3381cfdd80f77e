-- AlterTable
ALTER TABLE "capture" ADD COLUMN     "quality" JSONB;
