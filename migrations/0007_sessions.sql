-- A visit to a hosted page that an application asked for. Whoever holds the token may complete it, once.
CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  application_id uuid NOT NULL REFERENCES applications (id),
  page text NOT NULL CHECK (page IN ('enrolment', 'receipt')),
  request jsonb NOT NULL,
  redirect_uri text,
  locale text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  completed_at timestamptz,
  outcome text CHECK (outcome IN ('accepted', 'declined', 'sent')),
  consent_version text,
  receipt_id uuid,
  CHECK ((completed_at IS NULL) = (outcome IS NULL)),
  CHECK (((outcome IN ('accepted', 'declined')) IS TRUE) = (consent_version IS NOT NULL)),
  CHECK (((outcome = 'sent') IS TRUE) = (receipt_id IS NOT NULL))
);
COMMENT ON COLUMN sessions.token_hash IS 'SHA-256 of the token, which is 256 random bits and therefore needs no slow hash';
COMMENT ON COLUMN sessions.request IS 'What the application sent about the user or the receipt; emptied when the session ends';
COMMENT ON COLUMN sessions.consent_version IS 'The text on which an enrolment was decided, either way';
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Who agreed to what, and when: outlives the session, as proof (GDPR, article 7).
CREATE TABLE consents (
  user_id uuid NOT NULL REFERENCES users (id),
  id uuid NOT NULL,
  application_id uuid NOT NULL REFERENCES applications (id),
  text_version text NOT NULL,
  language text NOT NULL,
  agreed_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id)
);
