-- The first of two steps to events and deliveries in parts by time: what is there becomes the first part, for subjects
-- of up to a week from now. This constraint is checked in the next step without a lock that others wait for; without it
-- attaching the part would read all rows while nothing can be written. If the next step never follows, events of later
-- subjects are refused: then drop the two constraints.
--
-- A subject is a UUIDv7, and never later than its events. The clock of the service may be ahead of the database's, so
-- the newest event counts too.
DO $$
DECLARE
  newest uuid;
  newest_ms bigint;
  bound uuid;
  named regclass;
BEGIN
  SELECT e.id INTO newest
  FROM applications a
  CROSS JOIN LATERAL (SELECT id FROM events WHERE application_id = a.id ORDER BY id DESC LIMIT 1) e
  ORDER BY e.id DESC LIMIT 1;
  newest_ms := coalesce(('x' || left(replace(newest::text, '-', ''), 12))::bit(48)::bigint, 0);
  newest_ms := greatest(newest_ms, (extract(epoch FROM now()) * 1000)::bigint);
  -- A week later, at midnight in UTC.
  bound := (lpad(to_hex((newest_ms / 86400000 + 8) * 86400000), 12, '0') || repeat('0', 20))::uuid;
  FOREACH named IN ARRAY ARRAY['events', 'deliveries']::regclass[] LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT first_part CHECK (subject < %L) NOT VALID', named, bound);
  END LOOP;
END $$;
