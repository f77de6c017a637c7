-- What explains an award is kept in two parts: what belongs to the record alone, packed with it, and what the catalogue
-- says of a food, once for all records with the same text. The second has no names that people typed, and nothing else
-- of a person.
CREATE TABLE evidence (
  hash bytea PRIMARY KEY,
  content text NOT NULL,
  CONSTRAINT evidence_hash CHECK (length(hash) = 16)
);
COMMENT ON COLUMN evidence.hash IS 'The first 16 bytes of the SHA-256 of the content';
-- Rows are small and equal in form: read often, compressed never.
ALTER TABLE evidence ALTER COLUMN content SET STORAGE EXTERNAL;

ALTER TABLE records ADD COLUMN explained text;
COMMENT ON COLUMN records.explained IS 'Inputs and result of the rule, packed; null: they are in rule_inputs, or erased';
ALTER TABLE records ADD COLUMN evidence bytea;
COMMENT ON COLUMN records.evidence IS 'Hashes of the evidence that explained refers to, 16 bytes each, in its order';
ALTER TABLE records ALTER COLUMN rule_inputs DROP NOT NULL;
COMMENT ON COLUMN records.rule_inputs IS 'Inputs and result of the rule as JSON: of corrections, and of awards before explained existed';
