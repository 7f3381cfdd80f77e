-- CreateTable
CREATE TABLE "endpoint_backlog" (
    "webhook_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "endpoint_backlog_pkey" PRIMARY KEY ("webhook_id")
);
