-- What an application's POST with an Idempotency-Key did and was answered, written in the tx in which it was done. A
-- request that was refused leaves nothing here: its key is free. Swept after 24 hours.
CREATE TABLE idempotency_keys (
  application_id uuid NOT NULL,
  key_hash bytea NOT NULL CHECK (length(key_hash) = 32),
  id uuid NOT NULL,
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  status smallint NOT NULL,
  response bytea NOT NULL,
  user_id uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (application_id, key_hash)
);
COMMENT ON COLUMN idempotency_keys.key_hash IS 'SHA-256 of the key, which may be anything, also something personal';
COMMENT ON COLUMN idempotency_keys.id IS 'Of the request that took the key: of two in one statement the one that is told of it';
COMMENT ON COLUMN idempotency_keys.fingerprint IS 'HMAC of path, query and body under the key';
COMMENT ON COLUMN idempotency_keys.response IS 'Encrypted under the application''s client secret, of which only the hash is stored: it may hold a session''s address';
COMMENT ON COLUMN idempotency_keys.user_id IS 'Of whom the answer tells, so that an erasure finds it; null: nobody yet';
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_by_user ON idempotency_keys (user_id) WHERE user_id IS NOT NULL;
