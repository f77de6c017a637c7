ALTER TABLE applications
  ADD COLUMN previous_secret_hash bytea CHECK (length(previous_secret_hash) = 32),
  ADD COLUMN previous_secret_until timestamptz,
  ADD CHECK ((previous_secret_hash IS NULL) = (previous_secret_until IS NULL));
COMMENT ON COLUMN applications.previous_secret_hash IS 'SHA-256 of the secret that was replaced last, which opens beside the new one until previous_secret_until';
