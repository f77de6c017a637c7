-- Erasures that were interrupted are finished by a later run, and what they keep of receipts against a second reward.
ALTER TABLE users ADD COLUMN erasure_key bytea CHECK (erasure_key IS NULL OR erased_at IS NOT NULL);
COMMENT ON COLUMN users.erasure_key IS 'Keyed hash of the address, only while the erasure is unfinished: kept purchases are bound to it';
-- What the daily sweep reads.
CREATE INDEX users_erased ON users (id) WHERE erased_at IS NOT NULL;

-- Receipts that earned points of users who are erased. No row names a person or another row: nothing but a hash under
-- the installation's key, and the day.
CREATE TABLE erased_receipts (
  application_id uuid NOT NULL,
  digest bytea NOT NULL CHECK (length(digest) = 32),
  erased_on date NOT NULL,
  PRIMARY KEY (application_id, digest)
);
COMMENT ON COLUMN erased_receipts.digest IS 'Keyed SHA-256 of the image''s bytes, or of a purchase with the address of its user';
CREATE INDEX erased_receipts_by_day ON erased_receipts (erased_on);
