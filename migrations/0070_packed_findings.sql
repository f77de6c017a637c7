-- The findings of a completed receipt are one row: what lists and filters read as JSON, the rest packed. Its lines and
-- its points are those of its record. Rows of earlier releases stay as they are.
ALTER TABLE receipt_findings ADD COLUMN packed bytea;
COMMENT ON COLUMN receipt_findings.packed IS 'Of a completed receipt: the findings of all stages, compressed';
ALTER TABLE receipt_findings ADD COLUMN page bytea;
COMMENT ON COLUMN receipt_findings.page IS 'Of a completed receipt: the text that was read with its places, compressed; null: removed after its time';
-- Both are compressed already. Beside the rest of a row they are small enough to stay in it.
ALTER TABLE receipt_findings ALTER COLUMN packed SET STORAGE EXTERNAL;
ALTER TABLE receipt_findings ALTER COLUMN page SET STORAGE EXTERNAL;
CREATE INDEX receipt_findings_with_page ON receipt_findings (found_at) WHERE page IS NOT NULL;

-- The keys of a receipt's print in one row, in place of 24 rows and 48 entries of indexes. Those of earlier releases
-- stay in receipt_likeness, which is read as well.
CREATE TABLE receipt_prints (
  user_id uuid NOT NULL,
  receipt_id uuid NOT NULL,
  application_id uuid NOT NULL,
  keys bigint[] NOT NULL,
  PRIMARY KEY (user_id, receipt_id)
);
COMMENT ON TABLE receipt_prints IS 'MinHash bands of the figures read. A receipt that fails releases them';
-- Without the pending list, which every search would read.
CREATE INDEX receipt_prints_by_key ON receipt_prints USING gin (keys) WITH (fastupdate = off);
