-- CreateTable
CREATE TABLE "account_turn" (
    "account_id" TEXT NOT NULL,
    "last_scheduled_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "account_turn_pkey" PRIMARY KEY ("account_id")
);
