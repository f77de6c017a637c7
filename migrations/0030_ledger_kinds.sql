-- The ledger gets records of every kind: what is spent, corrected, taken back and expired, beside what is earned.
-- Points of a record are signed. The columns have defaults that are true for a record that earns, so that processes of
-- the version before go on booking while this one starts.

ALTER TABLE records DROP CONSTRAINT records_source_check;
ALTER TABLE records DROP CONSTRAINT records_health_points_check;
ALTER TABLE records DROP CONSTRAINT records_carbon_points_check;
ALTER TABLE records DROP CONSTRAINT records_bonus_points_check;
ALTER TABLE records DROP CONSTRAINT records_check;
ALTER TABLE records DROP CONSTRAINT records_green_products_check;
ALTER TABLE records DROP CONSTRAINT records_healthy_products_check;
ALTER TABLE records DROP CONSTRAINT records_co2e_mg_check;

ALTER TABLE records ADD COLUMN other_points integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN records.other_points IS 'Points of no rating: a reward redeemed or refunded, an adjustment, an expiry';
ALTER TABLE records ADD COLUMN is_lifetime boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN records.is_lifetime IS 'Whether its points count as earned, in lifetimePoints';
ALTER TABLE records ADD COLUMN related_id uuid;
COMMENT ON COLUMN records.related_id IS 'The record of the same user that it reverses, refunds or corrects';

ALTER TABLE records ADD CONSTRAINT records_source
  CHECK (source IN ('meal', 'food', 'receipt', 'manual', 'reward')) NOT VALID;
ALTER TABLE records VALIDATE CONSTRAINT records_source;
ALTER TABLE records ADD CONSTRAINT records_total
  CHECK (total_points = health_points + carbon_points + bonus_points + other_points) NOT VALID;
ALTER TABLE records VALIDATE CONSTRAINT records_total;
ALTER TABLE records ADD CONSTRAINT records_operation
  CHECK (CASE operation
           WHEN 1 THEN health_points >= 0 AND carbon_points >= 0 AND bonus_points >= 0 AND other_points = 0
                       AND green_products >= 0 AND healthy_products >= 0 AND co2e_mg >= 0 AND is_lifetime
           WHEN 2 THEN total_points <= 0 AND NOT is_lifetime
           WHEN 3 THEN true
           WHEN 4 THEN total_points >= 0 AND NOT is_lifetime AND related_id IS NOT NULL
           WHEN 5 THEN total_points < 0 AND NOT is_lifetime
           WHEN 6 THEN related_id IS NOT NULL
           ELSE false
         END) NOT VALID;
ALTER TABLE records VALIDATE CONSTRAINT records_operation;

-- What reverses, refunds or corrects a record is found by that record.
CREATE INDEX records_by_related ON records (user_id, related_id) WHERE related_id IS NOT NULL;

-- A record never changes. What became of it later is a row here: at most one for each status.
CREATE TABLE record_changes (
  user_id uuid NOT NULL,
  record_id uuid NOT NULL,
  status smallint NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, record_id, status),
  CONSTRAINT record_changes_record FOREIGN KEY (user_id, record_id) REFERENCES records (user_id, id),
  -- pending (1) becomes completed (2), failed (3) or expired (5); completed becomes reversed (4).
  CONSTRAINT record_changes_status CHECK (status BETWEEN 2 AND 5)
);
COMMENT ON TABLE record_changes IS 'The later states of records, append-only; the latest state is the highest';

ALTER TABLE balances DROP CONSTRAINT balances_available_points_check;
ALTER TABLE balances ADD COLUMN other_records bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN balances.other_records IS 'Records that are no earning events; the rest is numOfTransactions';
ALTER TABLE balances ADD COLUMN is_overdrawn boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN balances.is_overdrawn IS 'A reversal took back points that were spent already; only then may the balance be negative';
ALTER TABLE balances ADD CONSTRAINT balances_other_records CHECK (other_records >= 0) NOT VALID;
ALTER TABLE balances VALIDATE CONSTRAINT balances_other_records;
ALTER TABLE balances ADD CONSTRAINT balances_available CHECK (available_points >= 0 OR is_overdrawn) NOT VALID;
ALTER TABLE balances VALIDATE CONSTRAINT balances_available;
ALTER TABLE balances DROP CONSTRAINT balances_lifetime_points_check;
ALTER TABLE balances DROP CONSTRAINT balances_carbon_points_check;
ALTER TABLE balances DROP CONSTRAINT balances_green_products_check;
