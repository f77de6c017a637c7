ALTER TABLE applications ADD COLUMN rate_limit_per_minute integer CHECK (rate_limit_per_minute >= 0);
COMMENT ON COLUMN applications.rate_limit_per_minute IS 'Its own limit in place of the setting RATE_LIMIT_PER_MINUTE; 0: none; null: the setting holds';
