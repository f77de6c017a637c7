-- The submission that holds a reference of the integrator. A submission that fails releases its reference.
-- Neither table has a foreign key to applications: a user has one, and the statement that accepts a submission joins
-- users. Two foreign keys would cost two lookups a row and prove again what the join has proved.
CREATE TABLE submission_references (
  application_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('meal', 'food', 'receipt')),
  reference text NOT NULL,
  submission_id uuid NOT NULL,
  PRIMARY KEY (application_id, kind, reference)
);

CREATE TABLE intakes (
  user_id uuid NOT NULL REFERENCES users (id),
  id uuid NOT NULL,
  application_id uuid NOT NULL,
  source text NOT NULL CHECK (source IN ('meal', 'food')),
  reference text NOT NULL,
  state text NOT NULL CHECK (state IN ('received', 'completed', 'failed')),
  attempts smallint NOT NULL DEFAULT 0,
  submission jsonb NOT NULL,
  details jsonb,
  error_type text,
  error_message text,
  accepted_at timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (user_id, id),
  CHECK ((state = 'received') = (finished_at IS NULL)),
  CHECK ((state = 'received') = (details IS NULL)),
  CHECK ((state = 'failed') = (error_type IS NOT NULL AND error_message IS NOT NULL))
);
COMMENT ON COLUMN intakes.attempts IS 'Attempts to score the row by itself, counted before each attempt; after five it ends as INTERNAL_ERROR';
CREATE INDEX intakes_by_id ON intakes (id);
CREATE INDEX intakes_unfinished ON intakes (accepted_at, id) WHERE state = 'received';
COMMENT ON COLUMN intakes.details IS 'What only the status document shows: assumed portions and the ratings of the whole, or what was left out and why';
