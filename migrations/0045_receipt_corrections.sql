-- What people correct of a receipt that was misread: append-only, in order.
CREATE TABLE receipt_corrections (
  user_id uuid NOT NULL,
  receipt_id uuid NOT NULL,
  number smallint NOT NULL,
  id uuid NOT NULL,
  reason text NOT NULL,
  before jsonb NOT NULL,
  after jsonb,
  record_id uuid,
  points integer NOT NULL,
  corrected_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, receipt_id, number),
  CONSTRAINT receipt_corrections_number CHECK (number > 0),
  CONSTRAINT receipt_corrections_record CHECK ((after IS NULL) = (record_id IS NULL)),
  CONSTRAINT receipt_corrections_receipt FOREIGN KEY (user_id, receipt_id) REFERENCES receipts (user_id, id)
);
COMMENT ON COLUMN receipt_corrections.before IS 'The merchant, time, total and lines before, as shown';
COMMENT ON COLUMN receipt_corrections.after IS 'The lines and the record that the receipt has now; null: it had failed and was processed again';
COMMENT ON COLUMN receipt_corrections.points IS 'The difference that was booked';

ALTER TABLE receipts ADD COLUMN runs smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN receipts.runs IS 'How often a finished or held receipt was set going again: its later events come after the earlier ones';
