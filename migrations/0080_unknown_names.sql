-- Names of receipts, meals and foods that matched nothing: one row for each name of a submission. Rows are only added;
-- counts are made when they are read, so that no two batches wait for each other, and an erasure leaves nothing.
CREATE TABLE unknown_names (
  user_id uuid NOT NULL,
  submission_id uuid NOT NULL,
  name_id uuid NOT NULL,
  application_id uuid NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  source text NOT NULL,
  merchant_name text,
  merchant_key text NOT NULL,
  currency text,
  amount_minor bigint NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, submission_id, name_id),
  CONSTRAINT unknown_names_source CHECK (source IN ('receipt', 'meal', 'food')),
  CONSTRAINT unknown_names_merchant CHECK ((merchant_name IS NULL) = (merchant_key = ''))
);
COMMENT ON COLUMN unknown_names.name_id IS 'Hash of the application and name_key: the id that the API shows';
COMMENT ON COLUMN unknown_names.name_key IS 'The words of the name without its size: the form used to compare names';
COMMENT ON COLUMN unknown_names.amount_minor IS 'Paid for it in the submission, in minor units; 0 without a currency';
CREATE INDEX unknown_names_name ON unknown_names (application_id, name_id);
-- Almost nothing to keep: rows come in the order of time.
CREATE INDEX unknown_names_seen ON unknown_names USING brin (seen_at);
