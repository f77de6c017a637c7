-- A visit to a hosted page that an application requested. Anyone who holds the token can complete it, once.
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
COMMENT ON COLUMN sessions.request IS 'What the application sent about the user or the receipt; cleared when the session ends';
COMMENT ON COLUMN sessions.consent_version IS 'Version of the consent text that the user accepted or declined';
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- The text that users agreed to, once for each version, language and application.
CREATE TABLE consent_texts (
  digest bytea PRIMARY KEY CHECK (length(digest) = 32),
  text_version text NOT NULL,
  language text NOT NULL,
  text text NOT NULL,
  first_shown_at timestamptz NOT NULL
);
COMMENT ON COLUMN consent_texts.digest IS 'SHA-256 of the text';
COMMENT ON COLUMN consent_texts.text IS 'As shown on the page, including the application''s name';

-- Who agreed to which text, and when: kept after the session as proof (GDPR, article 7).
CREATE TABLE consents (
  user_id uuid NOT NULL REFERENCES users (id),
  id uuid NOT NULL,
  application_id uuid NOT NULL REFERENCES applications (id),
  text_version text NOT NULL,
  language text NOT NULL,
  text_digest bytea REFERENCES consent_texts (digest),
  agreed_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id)
);
COMMENT ON COLUMN consents.text_digest IS 'Null for a consent older than consent_texts';
