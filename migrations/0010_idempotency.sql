-- The effect and response of a POST with an Idempotency-Key, written in the same tx as its effect. A rejected request
-- writes nothing here: its key stays free. Rows are deleted after 24 hours.
CREATE TABLE idempotency_keys (
  application_id uuid NOT NULL,
  key_hash bytea NOT NULL CHECK (length(key_hash) = 32),
  id uuid NOT NULL,
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  status smallint NOT NULL,
  response bytea NOT NULL,
  is_sealed boolean NOT NULL,
  user_id uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (application_id, key_hash)
);
COMMENT ON COLUMN idempotency_keys.key_hash IS 'SHA-256 of the key, which may hold anything, also personal data';
COMMENT ON COLUMN idempotency_keys.id IS 'Id of the request that took the key: shows which of two requests in one statement won';
COMMENT ON COLUMN idempotency_keys.fingerprint IS 'HMAC of path, query and body under the key';
COMMENT ON COLUMN idempotency_keys.response IS 'JSON; encrypted if it may hold a secret or identify a person';
COMMENT ON COLUMN idempotency_keys.is_sealed IS 'Whether the response is encrypted with the client secret of the application; only the hash of the secret is stored';
COMMENT ON COLUMN idempotency_keys.user_id IS 'The user in the response, so that an erasure finds it; null: none yet';
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);
-- No index by user: an erasure reads the keys of one day, once; every accepted submission would pay for the index.
