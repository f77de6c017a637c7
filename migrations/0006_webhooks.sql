-- The addresses that an application's events are sent to. Signing secrets are derived from the installation's key,
-- the id and the generation, so that no secret is stored here.
CREATE TABLE endpoints (
  id uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications (id),
  url text NOT NULL,
  description text NOT NULL,
  event_types text[],
  generation integer NOT NULL DEFAULT 1 CHECK (generation > 0),
  previous_secret_until timestamptz,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text CHECK (disabled_reason IN ('gone', 'failing', 'requested')),
  created_at timestamptz NOT NULL,
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
);
COMMENT ON COLUMN endpoints.event_types IS 'Types of events to send; null: all, also those of later versions';
COMMENT ON COLUMN endpoints.generation IS 'Number of the derived signing secret in use; a rotation adds one';
COMMENT ON COLUMN endpoints.previous_secret_until IS 'Until then the secret of the previous generation signs too';
COMMENT ON COLUMN endpoints.failing_since IS 'The first failed attempt since the last successful one';
COMMENT ON COLUMN endpoints.disabled_reason IS 'gone: it responded 410. failing: no attempt succeeded for days';
CREATE INDEX endpoints_by_application ON endpoints (application_id);

-- What happened to a submission, written in the same tx as the change itself. A subject (a trackId, a receiptID) passes
-- each position at most once. The position is part of the key, so a stage that runs twice writes its event once.
CREATE TABLE events (
  user_id uuid NOT NULL,
  subject uuid NOT NULL,
  position smallint NOT NULL CHECK (position > 0),
  id uuid NOT NULL,
  application_id uuid NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, subject, position)
);
COMMENT ON COLUMN events.id IS 'The webhook-id of every delivery of this event';
COMMENT ON COLUMN events.body IS 'The exact bytes of every attempt: text, since jsonb would reformat them';
-- For the log of an application, newest first, and the removal of old events. Ids ascend, so it grows at its end.
CREATE INDEX events_by_application ON events (application_id, id);

-- One event on its way to one endpoint.
CREATE TABLE deliveries (
  user_id uuid NOT NULL,
  subject uuid NOT NULL,
  position smallint NOT NULL,
  endpoint_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  attempts_before smallint NOT NULL DEFAULT 0,
  -- All attempts but the last: most deliveries have one attempt, and then this costs nothing.
  earlier_attempts jsonb NOT NULL DEFAULT '[]',
  due_at timestamptz NOT NULL,
  last_attempt_at timestamptz,
  last_duration_ms integer,
  last_status smallint,
  last_answer text,
  last_error text,
  finished_at timestamptz,
  PRIMARY KEY (user_id, subject, position, endpoint_id),
  FOREIGN KEY (user_id, subject, position) REFERENCES events ON DELETE CASCADE,
  CHECK ((state = 'pending') = (finished_at IS NULL)),
  CHECK ((attempts = 0) = (last_attempt_at IS NULL)),
  CHECK (state <> 'delivered' OR last_status BETWEEN 200 AND 299)
);
COMMENT ON COLUMN deliveries.attempts IS 'Finished attempts. Equal to attempts_before: a later event of the subject still waits for this one';
COMMENT ON COLUMN deliveries.attempts_before IS 'Attempts before the last manual retry: the schedule counts from there';
COMMENT ON COLUMN deliveries.due_at IS 'When the next attempt may start. A claim sets it to the end of the lease, so that a delivery of a killed process becomes due again';
COMMENT ON COLUMN deliveries.last_answer IS 'The first bytes of the response body';
COMMENT ON COLUMN deliveries.last_error IS 'Why no response came; null when one did';

-- The only index that claiming reads: finished rows, however many millions, are not in it.
CREATE INDEX deliveries_due ON deliveries (endpoint_id, due_at, position) WHERE state = 'pending';
-- What "replay all that failed" reads; empty as long as every delivery succeeds.
CREATE INDEX deliveries_failed ON deliveries (endpoint_id) WHERE state = 'failed';

-- A row changes two or three times within seconds and then never again: vacuum dead rows soon.
ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
