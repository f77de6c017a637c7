-- Receipts are read by turn: of the application that has used the readers least, and within it of its users in turn.
ALTER TABLE receipts ADD COLUMN turn integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN receipts.turn IS 'Order within the application: one after the user''s last waiting receipt, at least that of the application''s first one';
ALTER TABLE receipts ADD COLUMN leased_until timestamptz;
COMMENT ON COLUMN receipts.leased_until IS 'Until then no process claims it: one is reading it, or it waits for a retry';
ALTER TABLE receipts ADD COLUMN timeouts smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN receipts.timeouts IS 'Readings that exceeded their time limit; after two the receipt ends as INTERNAL_ERROR';
CREATE INDEX receipts_waiting ON receipts (application_id, turn, id) WHERE error_code IS NULL AND stage <> 'Completed';
CREATE INDEX receipts_waiting_of_user ON receipts (user_id, turn) WHERE error_code IS NULL AND stage <> 'Completed';

-- Start-time fair queueing: the clock is the latest start, and an application's next receipt starts where its last one
-- ended. An application without a row has used nothing.
CREATE TABLE reading_turns (
  application_id uuid PRIMARY KEY REFERENCES applications (id),
  started_ms double precision NOT NULL,
  ended_ms double precision NOT NULL,
  cost_ms double precision NOT NULL
);
COMMENT ON COLUMN reading_turns.started_ms IS 'Where its last claimed receipt started, in ms of reading time';
COMMENT ON COLUMN reading_turns.ended_ms IS 'Where it ended; while it is being read, where it will end by cost_ms';
COMMENT ON COLUMN reading_turns.cost_ms IS 'Reading time of a receipt of the application, a moving average';
