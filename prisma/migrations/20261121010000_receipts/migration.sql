-- AlterTable
ALTER TABLE "capture" ADD COLUMN     "receipt" JSONB;
