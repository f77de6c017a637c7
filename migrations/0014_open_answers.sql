-- Answers that hold nothing but ids of ours need no encryption, which cost more than the rest of a key.
ALTER TABLE idempotency_keys ADD COLUMN is_sealed boolean NOT NULL DEFAULT true;
ALTER TABLE idempotency_keys ALTER COLUMN is_sealed DROP DEFAULT;
COMMENT ON COLUMN idempotency_keys.response IS 'JSON; sealed where it may hold a secret or tell who somebody is';
COMMENT ON COLUMN idempotency_keys.is_sealed IS 'Encrypted under the application''s client secret, of which only the hash is stored';
-- An erasure may read the keys of a day, once; every accepted submission would pay for the index.
DROP INDEX idempotency_keys_by_user;
