-- The balance of a user: the sums of the user's records, their number and the last of them.
CREATE TABLE balances (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  records bigint NOT NULL DEFAULT 0 CHECK (records >= 0),
  lifetime_points bigint NOT NULL DEFAULT 0 CHECK (lifetime_points >= 0),
  available_points bigint NOT NULL DEFAULT 0 CHECK (available_points >= 0),
  carbon_points bigint NOT NULL DEFAULT 0 CHECK (carbon_points >= 0),
  green_products bigint NOT NULL DEFAULT 0 CHECK (green_products >= 0),
  last_record_id uuid,
  last_record_at timestamptz,
  CHECK ((records = 0) = (last_record_id IS NULL AND last_record_at IS NULL))
);

-- The ledger: append-only. A correction is another record.
CREATE TABLE records (
  user_id uuid NOT NULL REFERENCES balances (user_id),
  sequence bigint NOT NULL CHECK (sequence > 0),
  id uuid NOT NULL,
  application_id uuid NOT NULL,
  source text NOT NULL CHECK (source IN ('meal', 'food', 'receipt')),
  submission_id uuid NOT NULL,
  operation smallint NOT NULL,
  status smallint NOT NULL,
  health_points integer NOT NULL CHECK (health_points >= 0),
  carbon_points integer NOT NULL CHECK (carbon_points >= 0),
  bonus_points integer NOT NULL CHECK (bonus_points >= 0),
  total_points integer NOT NULL CHECK (total_points = health_points + carbon_points + bonus_points),
  green_products integer NOT NULL CHECK (green_products >= 0),
  healthy_products integer NOT NULL CHECK (healthy_products >= 0),
  co2e_mg bigint NOT NULL CHECK (co2e_mg >= 0),
  body jsonb NOT NULL,
  rule text NOT NULL,
  rule_inputs jsonb NOT NULL,
  catalogue_version text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, sequence)
);
COMMENT ON COLUMN records.sequence IS 'Without gaps for each user, so that any page and any count is found by key';
COMMENT ON COLUMN records.body IS 'The part of the transaction and its items that cannot be derived from other columns';
COMMENT ON COLUMN records.rule_inputs IS 'The table cells and inputs that the rule used to compute the points';
CREATE UNIQUE INDEX records_by_id ON records (user_id, id);
CREATE UNIQUE INDEX records_one_award ON records (user_id, source, submission_id);
CREATE INDEX records_by_time ON records (user_id, created_at, sequence);

-- The result of the last verification of the ledger: one process runs it once a day, all show it as a metric.
CREATE TABLE ledger_verifications (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  verified_at timestamptz NOT NULL,
  users bigint NOT NULL,
  records bigint NOT NULL,
  differences bigint NOT NULL
);
