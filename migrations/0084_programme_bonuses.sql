-- Bonuses that a programme gives: welcome, streak, referral.

-- The code of a user, for those whom the user invites.
CREATE TABLE referral_codes (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  application_id uuid NOT NULL REFERENCES applications (id),
  code text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT referral_codes_once UNIQUE (application_id, code)
);

-- Who was referred by whom. A row is written with the enrolment of its user, never later.
CREATE TABLE referrals (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  application_id uuid NOT NULL,
  referrer_id uuid REFERENCES users (id),
  created_at timestamptz NOT NULL,
  settled_at timestamptz,
  CONSTRAINT referrals_of_another CHECK (referrer_id <> user_id)
);
COMMENT ON COLUMN referrals.referrer_id IS 'Null: the referring user was erased';
COMMENT ON COLUMN referrals.settled_at IS 'When its user had earned first: nothing is due any more';
CREATE INDEX referrals_by_referrer ON referrals (referrer_id);

-- The bonuses that were given, each once: the primary key decides.
CREATE TABLE granted_bonuses (
  user_id uuid NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  application_id uuid NOT NULL,
  record_id uuid NOT NULL,
  PRIMARY KEY (user_id, kind, key),
  CONSTRAINT granted_bonuses_kind CHECK (kind IN ('welcome', 'streak', 'referred', 'referring')),
  CONSTRAINT granted_bonuses_record FOREIGN KEY (user_id, record_id) REFERENCES records (user_id, id)
);
COMMENT ON COLUMN granted_bonuses.key IS 'Of a streak: which one, and the day or week that completed it. Of referring: the new user. Else empty';

-- Days, or weeks, in a row in which a user had a green or healthy product. Runs of a streak never touch each other.
CREATE TABLE streak_runs (
  user_id uuid NOT NULL REFERENCES balances (user_id),
  streak text NOT NULL,
  first_unit int NOT NULL,
  last_unit int NOT NULL,
  length int NOT NULL,
  PRIMARY KEY (user_id, streak, first_unit),
  CONSTRAINT streak_runs_order CHECK (first_unit <= last_unit),
  CONSTRAINT streak_runs_length CHECK (length > 1)
);
COMMENT ON COLUMN streak_runs.streak IS 'Its id with all that decides which days count: another length or time zone is another streak';
COMMENT ON COLUMN streak_runs.first_unit IS 'Number of the day since 1970-01-01, or of the week since that of 1969-12-29';

COMMENT ON TABLE erased_receipts IS 'Receipts that earned points, and bonuses, of users who are erased';
COMMENT ON COLUMN erased_receipts.digest IS 'Keyed SHA-256 of the image''s bytes, or of a purchase or a kind of bonus with the address of its user';
