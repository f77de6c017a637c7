-- The content of an award is stored packed (src/points/packed-body.ts), and so is what a completed meal or food keeps
-- of its submission (src/intakes/stored): a quarter of their JSON. What SQL reads (redemptions, bonuses, reversals,
-- corrections) stays JSON, and so does every row of before. Nothing is copied. A process of the release before does not
-- know the new columns, so all of these are stopped first (docs/operations.md).
-- NOT VALID: what is stored has its JSON, so nothing has to be read.
ALTER TABLE records ADD COLUMN packed bytea;
ALTER TABLE records ALTER COLUMN body DROP NOT NULL;
ALTER TABLE records ADD CONSTRAINT records_one_body CHECK (num_nonnulls(body, packed) = 1) NOT VALID;
COMMENT ON COLUMN records.packed IS 'The body, packed: only of an award. An erasure replaces it by the body {}';

ALTER TABLE intakes ADD COLUMN packed bytea;
ALTER TABLE intakes ALTER COLUMN submission DROP NOT NULL;
ALTER TABLE intakes ADD CONSTRAINT intakes_one_submission CHECK (num_nonnulls(submission, packed) = 1) NOT VALID;
COMMENT ON COLUMN intakes.packed IS 'The submission, packed; null: it is JSON, since it is not completed, or has members that have no packed form';
