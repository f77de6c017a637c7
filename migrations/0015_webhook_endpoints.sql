-- Endpoints that are rotated, watched and disabled; deliveries that keep each attempt and can be made again.
ALTER TABLE endpoints
  ADD COLUMN previous_secret_until timestamptz,
  ADD COLUMN failing_since timestamptz,
  DROP CONSTRAINT endpoints_disabled_reason_check,
  ADD CONSTRAINT endpoints_disabled_reason_check CHECK (disabled_reason IN ('gone', 'failing', 'requested'));
COMMENT ON COLUMN endpoints.previous_secret_until IS 'Until then the secret of the generation before signs as well';
COMMENT ON COLUMN endpoints.failing_since IS 'First failed attempt since the last that succeeded';
COMMENT ON COLUMN endpoints.disabled_reason IS 'gone: it answered 410. failing: no attempt succeeded for days';

-- Attempts but the last stand in the row itself: most deliveries have one attempt, and then this costs nothing.
ALTER TABLE deliveries
  ADD COLUMN earlier_attempts jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN attempts_before smallint NOT NULL DEFAULT 0,
  -- Event and endpoint name a delivery. No longer written; to be dropped by a later release, since this one may run
  -- beside the one before it.
  ALTER COLUMN id DROP NOT NULL,
  -- None was ever cancelled.
  DROP CONSTRAINT deliveries_state_check,
  ADD CONSTRAINT deliveries_state_check CHECK (state IN ('pending', 'delivered', 'failed'));
COMMENT ON COLUMN deliveries.attempts IS 'Finished ones. As many as attempts_before: a later event of the subject still waits for this one';
COMMENT ON COLUMN deliveries.attempts_before IS 'Attempts made when it was last asked for again: the schedule counts from there';

-- The log of an application, newest first, and what is older than events are kept. Ids ascend, so this index grows at its end.
CREATE INDEX events_by_application ON events (application_id, id);
-- What "replay all that failed" reads; empty as long as all is well.
CREATE INDEX deliveries_failed ON deliveries (endpoint_id) WHERE state = 'failed';
