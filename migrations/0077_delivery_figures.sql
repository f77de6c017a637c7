-- Reports count how deliveries of webhooks end, by day (docs/reports.md).
--
-- Others may hold the table for long, like a back-up: nobody may wait behind this for it.
DO $$
DECLARE
  attempt integer := 0;
BEGIN
  LOOP
    BEGIN
      SET LOCAL lock_timeout = '100ms';
      LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      attempt := attempt + 1;
      IF attempt >= 600 THEN RAISE; END IF;
      PERFORM pg_sleep(0.1);
    END;
  END LOOP;
  SET LOCAL lock_timeout = 0;
END $$;
ALTER TABLE deliveries ADD COLUMN is_replayed boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN deliveries.is_replayed IS 'Somebody asked for it: by a replay, or by sending it again. Its success says nothing of the time since the event';

-- Applications that had deliveries before they were counted. What ended then is in no figure: most of it is dropped.
CREATE TABLE delivery_figure_gaps (
  application_id uuid PRIMARY KEY,
  until timestamptz NOT NULL
);
COMMENT ON COLUMN delivery_figure_gaps.until IS 'Until then processes of the release before may have gone on';
INSERT INTO delivery_figure_gaps (application_id, until) SELECT id, now() + interval '1 hour' FROM applications;
