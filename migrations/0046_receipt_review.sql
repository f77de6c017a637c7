-- Receipts that are held for review, and what an application holds. A held receipt is also leased without end, so that
-- processes of the version before don't claim it.
ALTER TABLE receipts ADD COLUMN held_at timestamptz;
COMMENT ON COLUMN receipts.held_at IS 'Since then it waits for a decision; null: it does not';
ALTER TABLE receipts ADD COLUMN review jsonb;
COMMENT ON COLUMN receipts.review IS 'Why it was held, and what was decided';
ALTER TABLE receipts ADD COLUMN duplicate_of uuid;
COMMENT ON COLUMN receipts.duplicate_of IS 'The earlier receipt of the same user that it repeats';

-- The indexes of the readers without those that are held: thousands of them must not be in the way of any claim.
CREATE INDEX receipts_reading ON receipts (application_id, turn, id)
  WHERE error_code IS NULL AND stage <> 'Completed' AND held_at IS NULL;
CREATE INDEX receipts_reading_of_user ON receipts (user_id, turn)
  WHERE error_code IS NULL AND stage <> 'Completed' AND held_at IS NULL;
CREATE INDEX receipts_held ON receipts (application_id, id) WHERE held_at IS NOT NULL;

-- Without a row nothing is held.
CREATE TABLE review_settings (
  application_id uuid PRIMARY KEY REFERENCES applications (id),
  min_confidence real,
  hold_on text[] NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL,
  CONSTRAINT review_settings_confidence CHECK (min_confidence BETWEEN 0 AND 1)
);
COMMENT ON COLUMN review_settings.min_confidence IS 'A receipt that was read with less confidence is held';
COMMENT ON COLUMN review_settings.hold_on IS 'Checks: a receipt that fails them, or is doubtful, is held in place of being refused or accepted';
