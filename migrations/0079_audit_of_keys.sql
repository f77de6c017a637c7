-- What keys of applications and commands change: the audit log beside that of people of the console (`audit_entries`).
-- Without foreign keys to others: a change outlives the application and the credential that it names.
CREATE TABLE changes (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  application_id uuid,
  credential_id uuid,
  action text NOT NULL,
  subject text
);
COMMENT ON TABLE changes IS 'Written before the change is carried out; ids only, no personal data';
COMMENT ON COLUMN changes.credential_id IS 'The credential of a call of the API; the first one has the application''s id. Null: a command';
COMMENT ON COLUMN changes.action IS 'The id of an operation of the API; of a command a noun and a verb';
COMMENT ON COLUMN changes.subject IS 'The id of what is changed; never a text that somebody typed';
CREATE INDEX changes_application ON changes (application_id, id);

CREATE TABLE change_outcomes (
  change_id uuid PRIMARY KEY REFERENCES changes,
  status smallint NOT NULL,
  made text
);
COMMENT ON TABLE change_outcomes IS 'The status of the response to a change, and the id of what was made; missing: it was interrupted';

-- Append-only for as long as a change is kept. After that a deletion is let through, that of the daily sweep.
CREATE FUNCTION refuse_unless_outdated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'changes' THEN
    IF OLD.at < now() - interval '400 days' THEN
      RETURN OLD;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM changes WHERE id = OLD.change_id AND at < now() - interval '400 days') THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER changes_append_only BEFORE UPDATE OR DELETE ON changes
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_outdated();
CREATE TRIGGER change_outcomes_append_only BEFORE UPDATE OR DELETE ON change_outcomes
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_outdated();

ALTER TABLE credentials DROP CONSTRAINT credentials_scopes;
ALTER TABLE credentials ADD CONSTRAINT credentials_scopes CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY[
  'users.read', 'users.write', 'track.read', 'track.write', 'ledger.read', 'ledger.write', 'catalogue.read',
  'catalogue.write', 'webhooks.read', 'webhooks.write', 'reports.read', 'audit.read', 'privacy']);
