-- Reads each table once while requests go on: a second for a million rows.
ALTER TABLE "capture" VALIDATE CONSTRAINT "capture_first_check";

ALTER TABLE "batch" VALIDATE CONSTRAINT "batch_first_check";

ALTER TABLE "event" VALIDATE CONSTRAINT "event_first_check";

ALTER TABLE "delivery" VALIDATE CONSTRAINT "delivery_first_check";

ALTER TABLE "delivery_attempt" VALIDATE CONSTRAINT "delivery_attempt_first_check";
