-- Each growing table becomes the first partition of a partitioned table of its name. Everything here changes the catalog
-- alone; no row is read or copied. The previous version of the services goes on working with the partitioned tables.
DO $$
DECLARE
  part record;
  index record;
  indexes text[];
  foreign_keys text[];
  primary_key text;
  upper_bound text;
  statement text;
BEGIN
  -- Requests wait behind these locks: five times this at most, and then this migration is rolled back and tried again.
  PERFORM set_config('lock_timeout', '100ms', true);
  LOCK TABLE "capture", "batch", "event", "delivery", "delivery_attempt" IN ACCESS EXCLUSIVE MODE;

  -- Every partition that is dropped would be searched for rows that refer to it. The transactions that write these rows
  -- write both ends, and packages/database/src/retention removes them in the right order.
  ALTER TABLE "capture" DROP CONSTRAINT "capture_batch_id_fkey";
  ALTER TABLE "delivery" DROP CONSTRAINT "delivery_event_id_fkey";
  ALTER TABLE "delivery_attempt" DROP CONSTRAINT "delivery_attempt_delivery_id_fkey";

  FOR part IN
    SELECT name, key, name || '_first' AS first, name || '_default' AS rest
      FROM (VALUES ('capture', 'id'), ('batch', 'id'), ('event', 'id'), ('delivery', 'id'),
                   ('delivery_attempt', 'delivery_id')) AS p (name, key)
  LOOP
    -- What the new table gets under the same names. A unique index of a partitioned table must contain the partition key, so
    -- those of "event" stay with the partitions.
    SELECT array_agg(pg_get_indexdef(indexrelid)) INTO indexes FROM pg_index
     WHERE indrelid = part.name::regclass AND NOT indisunique;
    SELECT array_agg(format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))) INTO foreign_keys FROM pg_constraint
     WHERE conrelid = part.name::regclass AND contype = 'f';
    SELECT format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)) INTO STRICT primary_key FROM pg_constraint
     WHERE conrelid = part.name::regclass AND contype = 'p';
    SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''') INTO STRICT upper_bound FROM pg_constraint
     WHERE conrelid = part.name::regclass AND conname = part.first || '_check' AND convalidated;

    EXECUTE format('ALTER TABLE %I RENAME TO %I', part.name, part.first);
    FOR index IN
      SELECT relname AS name FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = part.first::regclass
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', index.name, part.first || substr(index.name, length(part.name) + 1));
    END LOOP;

    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (%I)',
                   part.name, part.first, part.key);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', part.name, part.first || '_check');
    EXECUTE format('ALTER TABLE %I ADD %s', part.name, primary_key);
    FOREACH statement IN ARRAY coalesce(indexes, '{}') LOOP
      EXECUTE statement;
    END LOOP;
    FOREACH statement IN ARRAY coalesce(foreign_keys, '{}') LOOP
      EXECUTE format('ALTER TABLE %I ADD %s', part.name, statement);
    END LOOP;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)',
                   part.name, part.first, upper_bound);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', part.first, part.first || '_check');
    -- For rows of a week without a partition: an insert never fails because a job did not run.
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', part.rest, part.name);
  END LOOP;

  CREATE UNIQUE INDEX "event_default_capture_id_name_key" ON "event_default"("capture_id", "name");
  CREATE UNIQUE INDEX "event_default_batch_id_name_count_key" ON "event_default"("batch_id", "name", "count");
END $$;
