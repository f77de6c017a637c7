-- What people report as wrong on their receipt, from the hosted page: it changes nothing until it is decided.
CREATE TABLE receipt_disputes (
  user_id uuid NOT NULL,
  receipt_id uuid NOT NULL,
  number smallint NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  line_id text,
  shown text,
  expected text,
  price double precision,
  note text,
  opened_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'open',
  decided_at timestamptz,
  reason text,
  correction_id uuid,
  PRIMARY KEY (user_id, receipt_id, number),
  CONSTRAINT receipt_disputes_number CHECK (number > 0),
  CONSTRAINT receipt_disputes_kind CHECK (kind IN ('not_mine', 'wrong_name', 'wrong_quantity', 'wrong_price', 'not_food',
    'missing_line', 'wrong_merchant', 'wrong_date', 'wrong_total')),
  CONSTRAINT receipt_disputes_line CHECK
    ((line_id IS NOT NULL) = (kind IN ('not_mine', 'wrong_name', 'wrong_quantity', 'wrong_price', 'not_food'))),
  CONSTRAINT receipt_disputes_state CHECK (state IN ('open', 'accepted', 'rejected')),
  CONSTRAINT receipt_disputes_decided CHECK ((decided_at IS NOT NULL) = (state <> 'open')),
  CONSTRAINT receipt_disputes_correction CHECK ((correction_id IS NOT NULL) = (state = 'accepted')),
  -- A process of the release before, which does not know this table, must still be able to erase a user.
  CONSTRAINT receipt_disputes_receipt FOREIGN KEY (user_id, receipt_id) REFERENCES receipts (user_id, id) ON DELETE CASCADE
);
COMMENT ON COLUMN receipt_disputes.line_id IS 'The line, by its id in the status document; null: not about a line';
COMMENT ON COLUMN receipt_disputes.shown IS 'What the page showed: the name, quantity, price, merchant, day or total';
COMMENT ON COLUMN receipt_disputes.expected IS 'What is right, as the person says; null: not given';
COMMENT ON COLUMN receipt_disputes.price IS 'The price of a missing line, in major units';
CREATE UNIQUE INDEX receipt_disputes_id ON receipt_disputes (id);
-- One open dispute for each line, and for merchant, date and total.
CREATE UNIQUE INDEX receipt_disputes_open ON receipt_disputes (user_id, receipt_id, coalesce(line_id, kind))
  WHERE state = 'open' AND kind <> 'missing_line';

ALTER TABLE receipts ADD COLUMN open_disputes smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN receipts.open_disputes IS 'Number of its disputes that are not decided';
CREATE INDEX receipts_disputed ON receipts (application_id, id) WHERE open_disputes > 0;
