-- How often an upload was begun in a session. It limits what the holder of one link can make the service do.
ALTER TABLE sessions ADD COLUMN upload_attempts integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN sessions.upload_attempts IS 'Uploads begun and not refused by the service itself; at the limit the session is closed';
