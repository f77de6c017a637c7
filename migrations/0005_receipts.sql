CREATE TABLE receipts (
  user_id uuid NOT NULL REFERENCES users (id),
  id uuid NOT NULL,
  application_id uuid NOT NULL REFERENCES applications (id),
  reference text NOT NULL,
  source text NOT NULL CHECK (source IN ('api', 'hosted_page')),
  declared jsonb NOT NULL,
  is_sample boolean NOT NULL,
  image_key text NOT NULL,
  image_sha256 bytea NOT NULL CHECK (length(image_sha256) = 32),
  stage text NOT NULL CHECK (stage IN ('Uploaded', 'Extracted', 'Enriched', 'Validated', 'Scored', 'Completed')),
  attempts smallint NOT NULL DEFAULT 0,
  error_code text,
  error_message text,
  image_traces jsonb,
  accepted_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  CHECK ((error_code IS NULL) = (error_message IS NULL)),
  CHECK (stage <> 'Completed' OR error_code IS NULL)
);
COMMENT ON COLUMN receipts.declared IS 'The purchase as the integrator declares it: merchantName, amount, transactionTimestamp, each null if not declared';
COMMENT ON COLUMN receipts.is_sample IS 'Its image came by testBlobUri, so the declared values are not about it';
COMMENT ON COLUMN receipts.image_sha256 IS 'Of the uploaded bytes; the stored file is the normalised image';
COMMENT ON COLUMN receipts.stage IS 'The last finished stage, also of a failed receipt';
COMMENT ON COLUMN receipts.attempts IS 'Attempts at the next stage, counted before each; after five the receipt ends as INTERNAL_ERROR';
COMMENT ON COLUMN receipts.image_traces IS 'How the uploaded file was made, read before its metadata was removed; null if the image was not examined';
CREATE INDEX receipts_by_id ON receipts (id);
CREATE INDEX receipts_unfinished ON receipts (updated_at, id) WHERE error_code IS NULL AND stage <> 'Completed';
-- Counts the receipts that a user uploaded since an instant.
CREATE INDEX receipts_by_acceptance ON receipts (user_id, accepted_at);

-- The result of each stage, written once and never changed; 'Failed' holds what is shown of a failure.
CREATE TABLE receipt_findings (
  user_id uuid NOT NULL,
  receipt_id uuid NOT NULL,
  stage text NOT NULL CHECK (stage IN ('Extracted', 'Enriched', 'Validated', 'Scored', 'Completed', 'Failed')),
  found jsonb NOT NULL,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, receipt_id, stage),
  FOREIGN KEY (user_id, receipt_id) REFERENCES receipts (user_id, id)
);

-- The receipt that has claimed these image bytes. A receipt that fails releases its claims.
CREATE TABLE receipt_images (
  application_id uuid NOT NULL REFERENCES applications (id),
  sha256 bytea NOT NULL,
  user_id uuid NOT NULL,
  receipt_id uuid NOT NULL,
  PRIMARY KEY (application_id, sha256)
);

-- The receipt of a user that documents this purchase.
CREATE TABLE receipt_facts (
  user_id uuid NOT NULL,
  fingerprint bytea NOT NULL,
  receipt_id uuid NOT NULL,
  PRIMARY KEY (user_id, fingerprint)
);
COMMENT ON COLUMN receipt_facts.fingerprint IS 'SHA-256 of merchant, time, total and lines as read';

-- Keys for finding receipts with nearly the same figures. A validated receipt has twelve; one that fails releases them.
CREATE TABLE receipt_likeness (
  application_id uuid NOT NULL REFERENCES applications (id),
  key bigint NOT NULL,
  user_id uuid NOT NULL,
  receipt_id uuid NOT NULL,
  PRIMARY KEY (application_id, key, user_id, receipt_id)
);
CREATE INDEX receipt_likeness_by_receipt ON receipt_likeness (user_id, receipt_id);
COMMENT ON TABLE receipt_likeness IS 'MinHash bands of the figures read';
