-- Article 17: an erased user keeps an id without a person, so that the ledger's sums still hold.
ALTER TABLE users ADD COLUMN erased_at timestamptz;
ALTER TABLE users ADD CHECK (erased_at IS NULL OR (email = '' AND first_name = '' AND last_name = ''));
