-- Captures, batches, events, deliveries and attempts become tables that are partitioned by the time in their ids, one
-- partition a week (docs/architecture.md). What is there today becomes the first partition of each, without being copied.
--
-- This step says how far the first partition reaches: to a Monday (UTC) that is two to three weeks ahead. Attaching a table
-- reads it under a lock that blocks everything, unless a validated constraint proves its rows. The next migration validates
-- it while requests go on, and the one after that attaches the tables.
DO $$
DECLARE
  bound timestamptz := date_trunc('week', now() AT TIME ZONE 'UTC' + interval '21 days') AT TIME ZONE 'UTC';
  ms bigint := extract(epoch FROM bound) * 1000;
  -- The ten characters of an id that encode its time: Crockford's base 32 in lower case, as in a ULID.
  encoded text := '';
  part record;
BEGIN
  FOR i IN REVERSE 9..0 LOOP
    encoded := encoded || substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((ms >> (5 * i)) & 31)::int, 1);
  END LOOP;
  FOR part IN
    SELECT * FROM (VALUES ('capture', 'id', 'req'), ('batch', 'id', 'batch'), ('event', 'id', 'evt'),
                          ('delivery', 'id', 'dlv'), ('delivery_attempt', 'delivery_id', 'dlv')) AS p (name, key, prefix)
  LOOP
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (%I < %L) NOT VALID',
                   part.name, part.name || '_first_check', part.key, part.prefix || '_' || encoded || repeat('0', 16));
  END LOOP;
END $$;
