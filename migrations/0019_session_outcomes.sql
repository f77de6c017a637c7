-- What became of a session, for the application that opened it. The token opens the page and is a secret: lookups and
-- events name the session by an id of its own.
ALTER TABLE sessions
  ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN user_id uuid,
  ADD COLUMN expired_at timestamptz;
COMMENT ON COLUMN sessions.id IS 'The id that responses and events show; it opens nothing';
COMMENT ON COLUMN sessions.user_id IS 'The user that a receipt session is for, or that an accepted enrolment enrolled';
COMMENT ON COLUMN sessions.expired_at IS 'When the sweep found it expired, cleared its request and wrote the event';

CREATE UNIQUE INDEX sessions_by_id ON sessions (id);
CREATE INDEX sessions_by_user ON sessions (user_id) WHERE user_id IS NOT NULL;
-- What the sweep reads: open sessions only.
CREATE INDEX sessions_to_expire ON sessions (expires_at) WHERE completed_at IS NULL AND expired_at IS NULL;

-- Those that expired before there were events get none: they may be weeks old.
UPDATE sessions SET expired_at = expires_at, request = '{}' WHERE completed_at IS NULL AND expires_at < now();
