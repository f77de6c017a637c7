-- Further secrets of an application, beside its first one in `applications.secret_hash`, which may do everything.
CREATE TABLE credentials (
  id uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
  secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
  scopes text[],
  created_at timestamptz NOT NULL,
  expires_at timestamptz CHECK (expires_at > created_at),
  revoked_at timestamptz,
  CONSTRAINT credentials_scopes CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY[
    'users.read', 'users.write', 'track.read', 'track.write', 'ledger.read', 'ledger.write', 'catalogue.read',
    'catalogue.write', 'webhooks.read', 'webhooks.write', 'reports.read', 'privacy'])
);
COMMENT ON COLUMN credentials.secret_hash IS 'SHA-256 of the secret, which is 256 random bits and therefore needs no slow hash';
COMMENT ON COLUMN credentials.scopes IS 'What it may do; null: everything';
COMMENT ON COLUMN credentials.expires_at IS 'Null: it does not expire';
CREATE INDEX credentials_application ON credentials (application_id, id);

-- Written about once a minute for each credential in use, and therefore apart from what every call reads.
-- Without a foreign key: the first secret of an application has the application's id.
CREATE TABLE credential_uses (
  credential_id uuid PRIMARY KEY,
  last_used_at timestamptz NOT NULL
);

ALTER TABLE applications ADD COLUMN secret_revoked_at timestamptz;
COMMENT ON COLUMN applications.secret_revoked_at IS 'When the first secret was revoked; its hash is 32 zero bytes then, which an earlier release refuses too';
