-- CreateTable
CREATE TABLE "link_bound" (
    "account_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "subject" TEXT NOT NULL,
    "renders" INTEGER NOT NULL,

    CONSTRAINT "link_bound_pkey" PRIMARY KEY ("account_id","day","subject")
);

-- CreateIndex
CREATE INDEX "link_bound_day_idx" ON "link_bound"("day");

-- AddForeignKey
ALTER TABLE "link_bound" ADD CONSTRAINT "link_bound_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
