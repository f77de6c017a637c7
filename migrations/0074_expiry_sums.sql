-- What expires next of a user's points depends on all records. Of users with many, what it needs of most of them is
-- kept here: it can be computed again from the records at any time, and nothing depends on who stored it.
CREATE TABLE expiry_sums (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  sequence bigint NOT NULL,
  credits jsonb NOT NULL,
  returns jsonb NOT NULL,
  active_at timestamptz,
  CONSTRAINT expiry_sums_sequence CHECK (sequence > 0)
);
COMMENT ON COLUMN expiry_sums.sequence IS 'Of the records up to this number';
COMMENT ON COLUMN expiry_sums.credits IS 'What was earned on a day, less what was taken back of it: [days since 1970, points], ascending';
COMMENT ON COLUMN expiry_sums.returns IS 'When points last came back that had been gone for a number of days: [days, milliseconds since 1970]';
COMMENT ON COLUMN expiry_sums.active_at IS 'The last record that earned, redeemed or gave points';
