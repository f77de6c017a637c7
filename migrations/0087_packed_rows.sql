-- Events of submissions are stored packed (src/webhooks/packed-event.ts): a fifth of their text. Events of before, and
-- the rare others, keep their text in body. Nothing is copied. A process of the release before does not know the new
-- column, so all of these are stopped first (docs/operations.md).
ALTER TABLE events ADD COLUMN packed bytea;
ALTER TABLE events ALTER COLUMN body DROP NOT NULL;
COMMENT ON COLUMN events.body IS 'The exact bytes of every attempt: text, since jsonb would reformat them; null: packed has them';
COMMENT ON COLUMN events.packed IS 'The body, packed: with the other columns of the row it is the same text, byte for byte';

-- What explains an award likewise (src/points/explained/packed-array.ts).
ALTER TABLE records ADD COLUMN inputs bytea;
COMMENT ON COLUMN records.inputs IS 'Inputs and result of the rule, packed; null: they are in explained or rule_inputs, or erased';
COMMENT ON COLUMN records.explained IS 'The same as text: of records from before inputs existed, and where it has no packed form';
