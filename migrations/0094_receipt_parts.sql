-- Several photos of one long receipt. The first one is image_key and image_sha256, as that of every other receipt. A
-- process of the release before does not know the others: it would read the first photo alone, so all of these are
-- stopped first (docs/operations.md).
-- NOT VALID: no stored row has another photo, so nothing has to be read.
ALTER TABLE receipts ADD COLUMN more_images text[] NOT NULL DEFAULT '{}';
ALTER TABLE receipts ADD CONSTRAINT receipts_more_images
  CHECK (cardinality(more_images) <= 4 AND (more_images = '{}' OR more_images::text ~ '^\{[0-9a-f]{64}(,[0-9a-f]{64})*\}$'))
  NOT VALID;
COMMENT ON COLUMN receipts.more_images IS 'SHA-256 in hex of the uploaded bytes of the second photo to the fifth; the key of each is image_key with its number';
