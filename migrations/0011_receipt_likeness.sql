-- Under which keys a receipt is found by those that print nearly the same figures. A receipt has twelve from when it is
-- validated; one that fails gives them back.
CREATE TABLE receipt_likeness (
  application_id uuid NOT NULL REFERENCES applications (id),
  key bigint NOT NULL,
  user_id uuid NOT NULL,
  receipt_id uuid NOT NULL,
  PRIMARY KEY (application_id, key, user_id, receipt_id)
);
CREATE INDEX receipt_likeness_by_receipt ON receipt_likeness (user_id, receipt_id);
COMMENT ON TABLE receipt_likeness IS 'MinHash bands of the figures read (src/receipts/likeness.ts)';

-- How many receipts a user handed in since an instant.
CREATE INDEX receipts_by_acceptance ON receipts (user_id, accepted_at);

ALTER TABLE receipts ADD COLUMN image_traces jsonb;
COMMENT ON COLUMN receipts.image_traces IS 'What the uploaded file said of its making, before its metadata was stripped; null for receipts older than the column';
