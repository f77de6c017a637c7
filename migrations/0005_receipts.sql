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
  accepted_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  CHECK ((error_code IS NULL) = (error_message IS NULL)),
  CHECK (stage <> 'Completed' OR error_code IS NULL)
);
COMMENT ON COLUMN receipts.declared IS 'What the integrator says of the purchase: merchantName, amount, transactionTimestamp, each null where not said';
COMMENT ON COLUMN receipts.is_sample IS 'Its image came by testBlobUri, so what was declared does not speak of it';
COMMENT ON COLUMN receipts.image_sha256 IS 'Of the bytes as uploaded; what is stored is the normalised image';
COMMENT ON COLUMN receipts.stage IS 'The last finished one, also of a failed receipt';
COMMENT ON COLUMN receipts.attempts IS 'Tries of the next stage, counted before each: after five the receipt ends as INTERNAL_ERROR';
CREATE INDEX receipts_by_id ON receipts (id);
CREATE INDEX receipts_unfinished ON receipts (updated_at, id) WHERE error_code IS NULL AND stage <> 'Completed';

-- What each stage found, written once and never changed; 'Failed' holds what is shown of a failure.
CREATE TABLE receipt_findings (
  user_id uuid NOT NULL,
  receipt_id uuid NOT NULL,
  stage text NOT NULL CHECK (stage IN ('Extracted', 'Enriched', 'Validated', 'Scored', 'Completed', 'Failed')),
  found jsonb NOT NULL,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, receipt_id, stage),
  FOREIGN KEY (user_id, receipt_id) REFERENCES receipts (user_id, id)
);

-- Whose receipt has these image bytes. A receipt that fails gives its claims back.
CREATE TABLE receipt_images (
  application_id uuid NOT NULL REFERENCES applications (id),
  sha256 bytea NOT NULL,
  user_id uuid NOT NULL,
  receipt_id uuid NOT NULL,
  PRIMARY KEY (application_id, sha256)
);

-- Which receipt of a user tells of this purchase.
CREATE TABLE receipt_facts (
  user_id uuid NOT NULL,
  fingerprint bytea NOT NULL,
  receipt_id uuid NOT NULL,
  PRIMARY KEY (user_id, fingerprint)
);
COMMENT ON COLUMN receipt_facts.fingerprint IS 'SHA-256 of merchant, time, total and lines as read';
