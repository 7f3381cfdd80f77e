-- Reads and writes go on meanwhile.
ALTER TABLE "session" VALIDATE CONSTRAINT "session_account_id_fkey";
ALTER TABLE "session" VALIDATE CONSTRAINT "session_of_one_check";
