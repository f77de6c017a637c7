-- What an application decides about its points. Without a row the defaults hold.
CREATE TABLE points_settings (
  application_id uuid PRIMARY KEY REFERENCES applications (id),
  reversal_overdraws boolean NOT NULL DEFAULT true,
  expiry_months smallint,
  expiry_from text NOT NULL DEFAULT 'earning',
  expiry_notice_days smallint NOT NULL DEFAULT 14,
  updated_at timestamptz NOT NULL,
  CONSTRAINT points_settings_months CHECK (expiry_months BETWEEN 1 AND 120),
  CONSTRAINT points_settings_from CHECK (expiry_from IN ('earning', 'activity')),
  CONSTRAINT points_settings_notice CHECK (expiry_notice_days BETWEEN 0 AND 365)
);
COMMENT ON COLUMN points_settings.reversal_overdraws IS 'Whether a reversal of points that are spent makes the balance negative; otherwise it takes what is there';
COMMENT ON COLUMN points_settings.expiry_months IS 'Months after which points expire; null: never';
COMMENT ON COLUMN points_settings.expiry_from IS 'earning: each point from the record that earned it, first in, first out. activity: all points, from the last record that earned or redeemed';
