-- AlterTable
ALTER TABLE "idempotency" ADD COLUMN     "progress" JSONB;
