-- Events and deliveries in parts by the time of their subject, which is in its id: the end of their retention drops a
-- part in place of each row. The subject and not the event's own id, since it is in the primary keys already: they stay
-- as they are, with every lookup by them and every ON CONFLICT. The service makes the next parts (src/webhooks/parts).
--
-- The rows that are there are not copied. Reading them once for the constraint takes a second or two for each million,
-- and blocks nobody; the rest takes milliseconds, and gives way to others until it gets its locks.
DO $$
DECLARE
  bound text;
  attempt integer := 0;
BEGIN
  SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9a-f-]{36})''') INTO bound
  FROM pg_constraint WHERE conrelid = 'events'::regclass AND conname = 'first_part';
  BEGIN
    ALTER TABLE events VALIDATE CONSTRAINT first_part;
    ALTER TABLE deliveries VALIDATE CONSTRAINT first_part;
  EXCEPTION WHEN check_violation THEN
    -- Subjects of a clock that was far ahead: all rows become the part of what has no other.
    bound := NULL;
  END;

  -- Statements take the two tables in both orders. Nobody may wait for long, and none may be ended as a deadlock.
  LOOP
    BEGIN
      SET LOCAL lock_timeout = '100ms';
      LOCK TABLE events, deliveries IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      attempt := attempt + 1;
      IF attempt >= 600 THEN RAISE; END IF;
      PERFORM pg_sleep(0.1);
    END;
  END LOOP;

  -- The foreign key from deliveries to events ends: for partitioned tables it could only be made by reading all rows
  -- under a lock, and each part that is dropped would be searched for references. What inserts deliveries holds their
  -- events, and the trigger below deletes them with these.
  ALTER TABLE deliveries DROP CONSTRAINT deliveries_user_id_subject_position_fkey;
  IF bound IS NULL THEN
    ALTER TABLE events DROP CONSTRAINT first_part;
    ALTER TABLE deliveries DROP CONSTRAINT first_part;
  END IF;
  ALTER TABLE events RENAME TO events_first;
  ALTER TABLE deliveries RENAME TO deliveries_first;
  ALTER INDEX events_pkey RENAME TO events_first_pkey;
  ALTER INDEX events_by_application RENAME TO events_first_by_application;
  ALTER INDEX deliveries_pkey RENAME TO deliveries_first_pkey;
  ALTER INDEX deliveries_due RENAME TO deliveries_first_due;
  ALTER INDEX deliveries_failed RENAME TO deliveries_first_failed;

  CREATE TABLE events (LIKE events_first INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING COMMENTS)
    PARTITION BY RANGE (subject);
  CREATE TABLE deliveries (LIKE deliveries_first INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING COMMENTS)
    PARTITION BY RANGE (subject);
  ALTER TABLE events DROP CONSTRAINT IF EXISTS first_part;
  ALTER TABLE deliveries DROP CONSTRAINT IF EXISTS first_part;

  -- As they were: attaching a part takes its indexes.
  ALTER TABLE events ADD PRIMARY KEY (user_id, subject, position);
  CREATE INDEX events_by_application ON events (application_id, id);
  ALTER TABLE deliveries ADD PRIMARY KEY (user_id, subject, position, endpoint_id);
  CREATE INDEX deliveries_due ON deliveries (endpoint_id, due_at, position) WHERE state = 'pending';
  CREATE INDEX deliveries_failed ON deliveries (endpoint_id) WHERE state = 'failed';

  IF bound IS NULL THEN
    ALTER TABLE events ATTACH PARTITION events_first DEFAULT;
    ALTER TABLE deliveries ATTACH PARTITION deliveries_first DEFAULT;
    ALTER TABLE events_first RENAME TO events_other;
    ALTER TABLE deliveries_first RENAME TO deliveries_other;
  ELSE
    EXECUTE format('ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (%L)', bound);
    EXECUTE format('ALTER TABLE deliveries ATTACH PARTITION deliveries_first FOR VALUES FROM (MINVALUE) TO (%L)', bound);
    ALTER TABLE events_first DROP CONSTRAINT first_part;
    ALTER TABLE deliveries_first DROP CONSTRAINT first_part;
    CREATE TABLE events_other PARTITION OF events DEFAULT;
    CREATE TABLE deliveries_other PARTITION OF deliveries DEFAULT;
  END IF;
END $$;

COMMENT ON TABLE events_other IS 'What no other part takes: events of subjects whose part is dropped, and of a clock that jumped';

-- In place of ON DELETE CASCADE. Not called when a part is dropped.
CREATE FUNCTION delete_deliveries_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM deliveries d USING gone
  WHERE d.user_id = gone.user_id AND d.subject = gone.subject AND d.position = gone.position;
  RETURN NULL;
END $$;
CREATE TRIGGER events_deleted AFTER DELETE ON events REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION delete_deliveries_of_events();
