-- The programmes of applications. A saved definition is a version of its own and never changes; its publication is
-- written into it once, as is its withdrawal before it has started.
CREATE TABLE programs (
  application_id uuid NOT NULL REFERENCES applications (id),
  version int NOT NULL,
  definition jsonb NOT NULL,
  note text NOT NULL DEFAULT '',
  author text NOT NULL,
  created_at timestamptz NOT NULL,
  starts_at timestamptz,
  published_at timestamptz,
  published_by text,
  withdrawn_at timestamptz,
  withdrawn_by text,
  PRIMARY KEY (application_id, version),
  CONSTRAINT programs_version CHECK (version > 0),
  CONSTRAINT programs_publication CHECK (num_nulls(starts_at, published_at, published_by) IN (0, 3)),
  CONSTRAINT programs_withdrawal CHECK (num_nulls(withdrawn_at, withdrawn_by) IN (0, 2)
    AND (withdrawn_at IS NULL OR starts_at IS NOT NULL))
);
CREATE INDEX programs_published ON programs (application_id, starts_at) WHERE starts_at IS NOT NULL;
