-- Previews of programmes that applications requested. They are carried out one at a time for an application, and are
-- kept for a day. A result names users by their ids alone.
CREATE TABLE program_previews (
  id uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications (id),
  version integer,
  definition jsonb NOT NULL,
  days integer NOT NULL,
  point_value double precision,
  attempts integer NOT NULL DEFAULT 0,
  replayed integer NOT NULL DEFAULT 0,
  total integer,
  result jsonb,
  failure text,
  created_at timestamptz NOT NULL,
  advanced_at timestamptz NOT NULL,
  finished_at timestamptz,
  CONSTRAINT program_previews_days CHECK (days > 0),
  CONSTRAINT program_previews_failure CHECK (failure IN ('time_out', 'internal')),
  CONSTRAINT program_previews_outcome CHECK ((finished_at IS NULL) = (num_nonnulls(result, failure) = 0)
    AND num_nonnulls(result, failure) < 2)
);
COMMENT ON COLUMN program_previews.version IS 'The saved version; null: a definition that was sent';
COMMENT ON COLUMN program_previews.advanced_at IS 'The last sign of the process that works on it';
COMMENT ON COLUMN program_previews.replayed IS 'Records replayed so far, of total';
CREATE UNIQUE INDEX program_previews_one ON program_previews (application_id) WHERE finished_at IS NULL;
CREATE INDEX program_previews_by_application ON program_previews (application_id, created_at);
