-- An intake is stored as "accepted", and its event intake.received is written with the others when it is scored: the
-- statement that accepts writes half as many rows. Of one that is "received" it is written already. Processes of the
-- version before leave "accepted" ones alone, so none of them ends without that event.
-- NOT VALID: what is stored fulfils the stricter constraints of before, so nothing has to be read.
ALTER TABLE intakes
  DROP CONSTRAINT intakes_state_check,
  DROP CONSTRAINT intakes_check,
  DROP CONSTRAINT intakes_check1,
  ADD CONSTRAINT intakes_state_check CHECK (state IN ('accepted', 'received', 'completed', 'failed')) NOT VALID,
  ADD CONSTRAINT intakes_check CHECK ((state IN ('accepted', 'received')) = (finished_at IS NULL)) NOT VALID,
  ADD CONSTRAINT intakes_check1 CHECK ((finished_at IS NULL) = (details IS NULL)) NOT VALID;
COMMENT ON COLUMN intakes.state IS 'accepted: its event intake.received is not written yet. received: it was written on acceptance, by the version before';

-- intakes_unfinished (0003) goes in a later release: processes of the version before still read it.
CREATE INDEX intakes_waiting ON intakes (accepted_at, id) WHERE finished_at IS NULL;
