-- AlterTable
ALTER TABLE "deployment" ADD COLUMN     "store_id" TEXT NOT NULL DEFAULT (gen_random_uuid())::text;
