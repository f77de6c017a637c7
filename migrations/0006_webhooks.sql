-- Where an application wants its events sent. Signing secrets are derived from the installation's key, the id and
-- the generation, so there is nothing here to steal.
CREATE TABLE endpoints (
  id uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications (id),
  url text NOT NULL,
  description text NOT NULL,
  event_types text[],
  generation integer NOT NULL DEFAULT 1 CHECK (generation > 0),
  disabled_at timestamptz,
  disabled_reason text CHECK (disabled_reason IN ('gone', 'requested')),
  created_at timestamptz NOT NULL,
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
);
COMMENT ON COLUMN endpoints.event_types IS 'Which events it wants; null: all, also those of later versions';
COMMENT ON COLUMN endpoints.generation IS 'Which derived signing secret is in force; rotation counts it up';
COMMENT ON COLUMN endpoints.disabled_reason IS 'gone: it answered 410';
CREATE INDEX endpoints_by_application ON endpoints (application_id);

-- What happened to a submission, written in the tx in which it happened. A subject (a trackId, a receiptID) passes
-- each position at most once, so its place is the key, and a stage that ran twice cannot tell its story twice.
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
COMMENT ON COLUMN events.body IS 'The very bytes of every attempt: text and not jsonb, which would write them anew';

-- One event on its way to one endpoint.
CREATE TABLE deliveries (
  user_id uuid NOT NULL,
  subject uuid NOT NULL,
  position smallint NOT NULL,
  endpoint_id uuid NOT NULL,
  id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'cancelled')),
  attempts smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
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
COMMENT ON COLUMN deliveries.attempts IS 'Finished ones; 0: a later event of the subject still waits for this one';
COMMENT ON COLUMN deliveries.due_at IS 'When the next attempt may start. Claiming sets it to the end of the lease, so that the work of a killed process is simply due again';
COMMENT ON COLUMN deliveries.last_answer IS 'The first bytes of the answer';
COMMENT ON COLUMN deliveries.last_error IS 'Why no answer came; null when one did';

-- All that claiming reads: finished rows, however many millions, are not in it.
CREATE INDEX deliveries_due ON deliveries (endpoint_id, due_at, position) WHERE state = 'pending';

-- A row changes two or three times within seconds and then never again: vacuum what is dead soon.
ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
