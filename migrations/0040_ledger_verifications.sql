-- What the last verification of the ledger found: made once a day by some process, shown by every one as a metric.
CREATE TABLE ledger_verifications (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  verified_at timestamptz NOT NULL,
  users bigint NOT NULL,
  records bigint NOT NULL,
  differences bigint NOT NULL
);
