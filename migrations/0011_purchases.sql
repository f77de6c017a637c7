-- The receipt of an application that documents a purchase with a time of day. After an erasure the row names nobody:
-- the same purchase is still known.
CREATE TABLE receipt_purchases (
  application_id uuid NOT NULL REFERENCES applications (id),
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  user_id uuid,
  receipt_id uuid,
  erased_on date CHECK ((erased_on IS NULL) = (user_id IS NOT NULL) AND (user_id IS NULL) = (receipt_id IS NULL)),
  PRIMARY KEY (application_id, fingerprint)
);
COMMENT ON COLUMN receipt_purchases.fingerprint IS 'Keyed SHA-256 of merchant, minute, total and amounts of the lines as read';
COMMENT ON COLUMN receipt_purchases.erased_on IS 'Day on which the user was erased: the row may be deleted some time after';
CREATE INDEX receipt_purchases_by_receipt ON receipt_purchases (user_id, receipt_id);
CREATE INDEX receipt_purchases_by_day ON receipt_purchases (erased_on) WHERE erased_on IS NOT NULL;
