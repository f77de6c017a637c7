-- The console: who may sign in, what each may see and do, and what was done.

CREATE TABLE console_users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text,
  locale text,
  failures int NOT NULL DEFAULT 0,
  locked_until timestamptz,
  created_at timestamptz NOT NULL
);
COMMENT ON TABLE console_users IS 'People who may sign in to the console; not the users that applications enrol';
COMMENT ON COLUMN console_users.password_hash IS 'Argon2id in the PHC format; null: no password';
COMMENT ON COLUMN console_users.failures IS 'Wrong passwords since the last right one';
CREATE UNIQUE INDEX console_users_email ON console_users (lower(email));

CREATE TABLE console_grants (
  console_user_id uuid NOT NULL REFERENCES console_users ON DELETE CASCADE,
  application_id uuid REFERENCES applications ON DELETE CASCADE,
  role text NOT NULL,
  CONSTRAINT console_grants_role CHECK (role IN ('viewer', 'reviewer', 'manager', 'developer', 'operator')),
  CONSTRAINT console_grants_once UNIQUE NULLS NOT DISTINCT (console_user_id, application_id, role)
);
COMMENT ON COLUMN console_grants.application_id IS 'Null: all applications';
CREATE INDEX console_grants_application ON console_grants (application_id) WHERE application_id IS NOT NULL;

CREATE TABLE console_links (
  token_hash bytea PRIMARY KEY,
  console_user_id uuid NOT NULL REFERENCES console_users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE console_links IS 'One-time links to set a password or a passkey; deleted when used';
CREATE INDEX console_links_user ON console_links (console_user_id);

CREATE TABLE console_sessions (
  token_hash bytea PRIMARY KEY,
  console_user_id uuid NOT NULL REFERENCES console_users ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX console_sessions_user ON console_sessions (console_user_id);
CREATE INDEX console_sessions_expiry ON console_sessions (expires_at);

-- Append-only, but for the restore of a backup, which empties all tables.
-- Without foreign keys: an entry outlives the person and the application that it names.
CREATE TABLE audit_entries (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  console_user_id uuid,
  application_id uuid,
  action text NOT NULL,
  subject text
);
COMMENT ON TABLE audit_entries IS 'What people did in the console, written before it is done; no personal data';
CREATE INDEX audit_entries_application ON audit_entries (application_id, id);
CREATE TABLE audit_outcomes (
  entry_id uuid PRIMARY KEY REFERENCES audit_entries,
  status smallint NOT NULL
);
COMMENT ON TABLE audit_outcomes IS 'The status of the response to the change; missing: it was interrupted';

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_outcomes_append_only BEFORE UPDATE OR DELETE ON audit_outcomes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
