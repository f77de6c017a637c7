-- Statistics of a user with many records need sums of thousands of them. The sums of each block of records are kept here:
-- they can be computed again from the records at any time, and nothing depends on who stored them.
CREATE TABLE record_sums (
  user_id uuid NOT NULL REFERENCES users (id),
  last_sequence bigint NOT NULL,
  first_sequence bigint NOT NULL,
  cause text NOT NULL,
  bonus_type smallint NOT NULL,
  oldest_related bigint,
  earning_events int NOT NULL,
  lifetime_points bigint NOT NULL,
  total_points bigint NOT NULL,
  health_points bigint NOT NULL,
  carbon_points bigint NOT NULL,
  bonus_points bigint NOT NULL,
  green_products bigint NOT NULL,
  healthy_products bigint NOT NULL,
  co2e_mg bigint NOT NULL,
  PRIMARY KEY (user_id, last_sequence, cause, bonus_type),
  CONSTRAINT record_sums_block CHECK (first_sequence > 0 AND first_sequence <= last_sequence)
);
COMMENT ON TABLE record_sums IS 'Sums of the records of a block by cause. Blocks of a user follow each other from record 1 on; no month ends within one';
COMMENT ON COLUMN record_sums.cause IS 'What the points came from or went to; of a correction or reversal that of its record';
COMMENT ON COLUMN record_sums.bonus_type IS 'Of a bonus; 0 for any other cause';
COMMENT ON COLUMN record_sums.oldest_related IS 'The lowest number of a record that one of these corrects or takes back, of those whose points count as earned';
