-- The tiers of users under their programmes. A row is written when a user first rises or falls. Where points of the
-- last twelve months count, it also has their sum, and is written once that takes many records to compute.
CREATE TABLE user_tiers (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  application_id uuid NOT NULL,
  tier smallint,
  since timestamptz,
  points bigint,
  counted_from timestamptz,
  sequence bigint,
  CONSTRAINT user_tiers_tier CHECK (tier BETWEEN 0 AND 4 AND (tier IS NULL) = (since IS NULL)),
  CONSTRAINT user_tiers_counted CHECK (num_nulls(points, counted_from, sequence) IN (0, 3))
);
COMMENT ON COLUMN user_tiers.tier IS 'As last reported: 0 is none. Null: the one in which everybody begins, never changed';
COMMENT ON COLUMN user_tiers.points IS 'Points that count for the tier, of the records up to sequence, earned at counted_from or later';
CREATE INDEX user_tiers_by_application ON user_tiers (application_id, user_id);

-- How far the daily look at all users of an application has come, so that the next process goes on there.
CREATE TABLE tier_reviews (
  application_id uuid PRIMARY KEY REFERENCES applications (id),
  version int NOT NULL,
  day date NOT NULL,
  after_user uuid,
  finished_at timestamptz
);
COMMENT ON COLUMN tier_reviews.version IS 'The version of the programme that it looks with';
COMMENT ON COLUMN tier_reviews.day IS 'The day of the programme''s time zone';
COMMENT ON COLUMN tier_reviews.after_user IS 'The last user who was looked at; null: none yet';
