-- Daily figures of applications. Whatever changes a figure adds one row of differences in its own tx: no two txs wait
-- for each other, and nothing is lost or counted twice. A task adds them up. No row names a user.
CREATE TABLE report_deltas (
  application_id uuid NOT NULL,
  day date NOT NULL,
  figures text NOT NULL,
  is_kept boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE report_deltas IS 'Differences that are not yet in report_days or report_kept. Without an index: it is read as a whole, and short';
COMMENT ON COLUMN report_deltas.figures IS 'JSON: amounts by figure. As text, since it is parsed once, when it is added up';
COMMENT ON COLUMN report_deltas.is_kept IS 'For report_kept in place of report_days';

CREATE TABLE report_days (
  application_id uuid NOT NULL,
  figure text COLLATE "C" NOT NULL,
  day date NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (application_id, figure, day)
);
COMMENT ON TABLE report_days IS 'The sums of differences by day (UTC)';

CREATE TABLE report_kept (
  application_id uuid NOT NULL,
  figure text COLLATE "C" NOT NULL,
  day date NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (application_id, figure, day)
);
COMMENT ON TABLE report_kept IS 'What erasures took from the records and not from the figures: records and this make report_days';

-- Applications whose figures before this release are still to be computed from their records.
CREATE TABLE report_gaps (
  application_id uuid PRIMARY KEY,
  until timestamptz NOT NULL
);
INSERT INTO report_gaps (application_id, until) SELECT id, now() FROM applications;

ALTER TABLE balances ADD COLUMN last_award_at timestamptz;
COMMENT ON COLUMN balances.last_award_at IS 'The last receipt, meal or food that was credited; null: none since the release with this column';
