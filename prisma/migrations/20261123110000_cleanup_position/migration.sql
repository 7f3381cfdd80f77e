-- AlterTable
ALTER TABLE "sweeper_run" ADD COLUMN     "position" TIMESTAMPTZ(3);
