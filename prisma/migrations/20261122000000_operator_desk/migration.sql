-- CreateTable
CREATE TABLE "sweeper_run" (
    "name" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "duration_ms" INTEGER,
    "count" INTEGER,
    "error" TEXT,

    CONSTRAINT "sweeper_run_pkey" PRIMARY KEY ("name")
);
