-- The integrator's own references of what is not a submission: each is used once in an application, so that a request
-- that is sent again, even without an Idempotency-Key and weeks later, moves nothing twice.
CREATE TABLE record_references (
  application_id uuid NOT NULL REFERENCES applications (id),
  kind text NOT NULL,
  reference text NOT NULL,
  user_id uuid NOT NULL,
  record_id uuid NOT NULL,
  PRIMARY KEY (application_id, kind, reference),
  CONSTRAINT record_references_kind CHECK (kind IN ('adjustment', 'redemption')),
  CONSTRAINT record_references_record FOREIGN KEY (user_id, record_id) REFERENCES records (user_id, id)
);
CREATE INDEX record_references_by_user ON record_references (user_id);
